"""Values and changed blocks in words."""

from dataclasses import replace
from decimal import Decimal

import pytest

from pipeline.cli.output import Printer
from pipeline.cli.shown import kind_words, show_blocks, show_fields, sides, value_words
from pipeline.model import (
    BlockChange,
    BlockOp,
    ChangeType,
    FieldChange,
    FieldState,
    FieldType,
    FieldValue,
    Kind,
    KindReason,
    Quality,
    Region,
)


def value(type_, state=FieldState.VALUE, **parts):
    return FieldValue(name="it", type=type_, state=state, source="css", **parts)


def replaced(old, new, explained_by=None):
    op = BlockOp.ADDED if old is None else BlockOp.REMOVED if new is None else BlockOp.REPLACED
    return BlockChange(op=op, old=old, new=new, region=Region.MAIN, explained_by=explained_by)


def shown(capsys, *changes, **options):
    show_blocks(Printer(), changes, **options)
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("of", "words"),
    [
        (value(FieldType.PRICE, number=Decimal("89.00"), currency="EUR"), "89.00 EUR"),
        (value(FieldType.PRICE, number=Decimal("5.00"), high=Decimal("9.50")), "5.00-9.50"),
        (value(FieldType.NUMBER, number=Decimal("4.5"), text="4.5"), "4.5"),
        (value(FieldType.DURATION, number=Decimal(90)), "90 min"),
        (value(FieldType.LIST, members=("a", "b")), "a; b"),
        (value(FieldType.LIST, members=()), "(empty)"),
        (value(FieldType.BOOL, boolean=False), "no"),
        (value(FieldType.AVAILABILITY, text="InStock"), "InStock"),
        (value(FieldType.TEXT, FieldState.AMBIGUOUS), "(ambiguous)"),
    ],
)
def test_a_value_is_written_as_people_write_it(of, words):
    assert value_words(of) == words


def test_kinds_are_words():
    assert kind_words(Kind.FIELD, KindReason.FIELDS, also_content=True).endswith(", and other text too")
    assert kind_words(None, KindReason.NOT_GOOD, Quality.LOGIN) == "not the page: a login page (login)"
    assert kind_words(None, "pending") == "pending"
    for reason in set(KindReason) - {KindReason.NOT_GOOD}:
        assert kind_words(Kind.NOISE, reason) != f"noise: {reason}"


def test_of_a_list_only_what_came_and_went_is_shown(capsys):
    change = FieldChange(
        name="certificates",
        type=FieldType.LIST,
        change_type=ChangeType.VALUE,
        old=value(FieldType.LIST, members=("a", "b")),
        new=value(FieldType.LIST, members=("b", "c")),
        decides=False,
        members_added=("c",),
        members_removed=("a",),
    )
    assert sides(change) == ("a (removed)", "c (added)")
    show_fields(Printer(), [change])
    assert capsys.readouterr().out == "certificates  removed a; added c  (accompanies, does not decide)\n"


def test_what_changed_is_marked_inline(capsys):
    assert shown(capsys, replaced("within 30 days of it", "within 14 days of it")) == [
        "~ within [-30-]{+14+} days of it"
    ]
    assert shown(capsys, replaced("one two three four five", "one 2 3 four five")) == [
        "~ one [-two three-]{+2 3+} four five"
    ]
    assert shown(capsys, replaced("退货期限为30天", "退货期限为14天")) == ["~ 退货期限为[-30-]{+14+}天"]


def test_versions_with_little_in_common_or_too_long_stand_one_under_the_other(capsys):
    assert shown(capsys, replaced("all other", "nothing like it")) == ["- all other", "+ nothing like it"]
    long = "word " * 400
    assert len(shown(capsys, replaced(long + "a", long + "b"))) == 2


def test_added_and_removed_blocks_have_their_sign(capsys):
    assert shown(capsys, replaced(None, "new"), replaced("old", None)) == ["+ new", "- old"]


def test_unexplained_blocks_come_first_and_the_rest_is_counted(capsys):
    changes = [replaced("a", "b", "masked"), replaced("c", None), replaced("d", None), replaced("e", "e", "masked")]
    assert shown(capsys, *changes, most=1) == ["- c", "... and 1 more changed blocks", "explained blocks: 2 masked"]


def test_a_disputed_change_says_what_else_the_page_says(capsys):
    def price(amount, source, rival=None):
        return FieldValue(name="price", type=FieldType.PRICE, state=FieldState.VALUE, source=source,
                          number=Decimal(amount), currency="EUR", rival=rival)  # fmt: skip

    old, new = price("89", "css"), price("79", "css", rival=price("89", "json_ld"))
    change = FieldChange(name="price", type=FieldType.PRICE, change_type=ChangeType.VALUE, old=old, new=new,
                         decides=True, disputed=True)  # fmt: skip
    show_fields(Printer(), [change])
    assert capsys.readouterr().out == "price  89.00 EUR → 79.00 EUR  (disputed: json_ld says 89.00 EUR)\n"
    show_fields(Printer(), [replace(change, new=price("79", "css"))])
    assert "(disputed: the page gives both values)" in capsys.readouterr().out
