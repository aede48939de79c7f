"""Small builders for the records that classify compares."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from hashlib import sha256

import pytest

from pipeline.classify import Seen
from pipeline.fingerprint import fingerprint
from pipeline.model import FieldSpec, FieldState, FieldType, FieldValue, NormalBlock, Purpose, Region, Rules, Version


class Make:
    """Builders; a text is a list of blocks, `nav:Home` one of another region than main."""

    regions = {"nav": Region.NAVIGATION, "header": Region.HEADER, "footer": Region.FOOTER, "aside": Region.ASIDE}

    def block(self, text: str, normal: str | None = None, *, unordered: bool = False) -> NormalBlock:
        head, _, rest = text.partition(":")
        region = self.regions.get(head, Region.MAIN)
        text = text if region is Region.MAIN else rest
        folded = text.replace("’", "'")
        return NormalBlock(
            text=text, folded=folded, normal=normal or folded, region=region, path="body/p", unordered=unordered
        )

    def blocks(self, *texts: str | tuple[str, str]) -> tuple[NormalBlock, ...]:
        return tuple(self.block(*([t] if isinstance(t, str) else t)) for t in texts)

    def price(self, amount: str | None, currency: str | None = "EUR", raw: str | None = None) -> FieldValue:
        state = FieldState.MISSING if amount is None else FieldState.VALUE
        number = None if amount is None else Decimal(amount)
        text = None if number is None else f"{number.normalize():f} {currency}"
        return FieldValue(
            name="price", type=FieldType.PRICE, state=state, source="json_ld", text=text, number=number,
            currency=currency if amount else None, raw=raw or amount,
        )  # fmt: skip

    def text_field(self, name: str, text: str | None, type_: FieldType = FieldType.TEXT) -> FieldValue:
        state = FieldState.MISSING if text is None else FieldState.VALUE
        return FieldValue(name=name, type=type_, state=state, source="json_ld", text=text, raw=text)

    def members(self, name: str, *members: str) -> FieldValue:
        return FieldValue(
            name=name, type=FieldType.LIST, state=FieldState.VALUE, source="css", members=tuple(sorted(members)),
            text="\n".join(sorted(members)),
        )  # fmt: skip

    def rules(self, *fields: FieldValue, page_type: str = "product") -> Rules:
        return Rules(page_type=page_type, fields=tuple(FieldSpec(name=f.name, type=f.type) for f in fields))

    def version(
        self, no: int, blocks: Sequence[NormalBlock], fields: Sequence[FieldValue] = (), body: str | None = None
    ) -> Version:
        by_name: Mapping[str, FieldValue] = {value.name: value for value in fields}
        body = body if body is not None else repr((blocks, fields))
        return Version(
            visit_no=no,
            body_sha256=sha256(body.encode()).hexdigest(),
            fields=by_name,
            blocks=tuple(blocks),
            fingerprint=fingerprint(blocks),
        )

    def seen(self, version: Version, *marks: str, purpose: Purpose = Purpose.WATCH) -> Seen:
        return Seen(purpose=purpose, marks=marks, version=version)


@pytest.fixture
def make() -> Make:
    return Make()
