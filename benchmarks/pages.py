"""Made-up pages of a given size, different for each page and version."""

from collections.abc import Iterator

__all__ = ["made_up_page"]

_SUBJECTS = ("The supplier", "Our customer", "A visitor", "The carrier", "Every member", "The lender", "One partner")
_VERBS = ("confirms", "returns", "reviews", "stores", "ships", "reports", "renews", "cancels", "accepts")
_OBJECTS = ("the order", "each invoice", "the parcel", "a contract", "the licence", "every record", "the account")


def made_up_page(number: int, version: int, size: int) -> bytes:
    """A page of about `size` bytes whose text changes in one sentence from version to version."""
    head = f"<html lang=en><head><title>Page {number}</title></head><body><nav><a href=/>Home</a></nav><main>"
    parts = [head, f"<h1>Page {number}</h1><p>Returns are accepted within {90 - version % 60} days.</p>"]
    length = sum(map(len, parts))
    for sentence in _sentences(number):
        if length >= size:
            break
        parts.append(sentence)
        length += len(sentence)
    return "".join([*parts, "</main><footer><p>The example company</p></footer></body></html>"]).encode()


def _sentences(seed: int) -> Iterator[str]:
    n = seed * 7919
    while True:
        n += 1
        subject, verb, thing = _SUBJECTS[n % 7], _VERBS[n // 7 % 9], _OBJECTS[n // 63 % 7]
        filler = f"<div class='section text-block' id='s{n}'><p>{subject} {verb} {thing} in step {n % 1000} "
        yield (
            filler
            + f"before <a href='/part/{n}'>the part named {n % 97}</a> is due, as agreed in the order.</p></div>\n"
        )
