"""Identifiers made by machines: session ids, hashes, UUIDs, tokens. Volatile wherever they stand."""

import re

import re2

__all__ = ["ID_MASK", "TOKEN_HINT", "mask_tokens"]

ID_MASK = "⟦id⟧"

_MIXED = 16
"""Shortest run of letters and digits taken for an identifier: article numbers, which are content, are shorter."""
_BASE64 = 24
"""Shortest run that may hold `+ / - _` as well."""
_SHORT_HEX = 8
"""Shortest hex string beside a word that announces one; a git abbreviation is 7 to 12."""

_ANNOUNCED = (
    r"((?i:\b(?:build|commit|rev|revision|session|request|token|trace|ray|id)\b\.?"
    r"(?: ?(?:id|no\.?|nr\.?|number|hash|sha|key))?[^0-9A-Za-z\n⟦⟧]{0,3}))"
    rf"([0-9A-Fa-f-]{{{_SHORT_HEX - 1},}}[0-9A-Fa-f])\b"
)
_PARAMETER = r"((?i:;jsessionid=|[?&](?:phpsessid|sessionid|sid)=))[0-9A-Za-z.!_-]+"
_RUN = rf"[0-9A-Za-z+/_-]{{{_MIXED},}}={{0,2}}"

TOKEN_HINT = f"{_ANNOUNCED}|{_PARAMETER}|{_RUN}"
"""Finds where `mask_tokens` may find something."""

_ANNOUNCED_ID = re2.compile(_ANNOUNCED)
_PARAMETERS = re2.compile(_PARAMETER)
_RUNS = re2.compile(_RUN)

_DIGIT = re.compile("[0-9]")
_LETTER = re.compile("[A-Za-z]")
_HEX = re.compile("[0-9a-f]+|[0-9A-F]+")
_COMPACT_DATE = re.compile("[0-9]{8}T[0-9]{4,6}Z?")
_UUID = "(?<![0-9A-Za-z])[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}(?![0-9A-Za-z])"
_PIECE = re.compile(f"({_UUID}|[0-9A-Za-z]{{{_MIXED},}}={{0,2}})")
_IBAN = re.compile("[A-Z]{2}[0-9]{2}[0-9A-Z]{11,30}")
_LEI = re.compile("[0-9A-Z]{18}[0-9]{2}")
_SEPARATOR = re.compile("[+/_-]+")
# Words run together with few numbers: "AnnualReport2024Final". RE2, because the nesting is quadratic or worse in `re`.
_WORDY = re2.compile("[0-9]*(?:(?:[A-Z]?[a-z]{3,}|[A-Z]{3,})+[0-9]*){1,2}")
# A word or number between separators; shorter ones are as likely chance (a 64th of all base64 signs is a separator).
_WORD = re2.compile("[0-9]*(?:[A-Z]?[a-z]{4,}|[A-Z]{4,}|[A-Z][a-z]{3,})+[0-9]*|[0-9]{4,}")


def mask_tokens(text: str) -> str:
    """The text with each identifier replaced by `⟦id⟧`; without a digit only a session parameter is one.

    An account number with a right check digit is substance and stays: an IBAN (ISO 13616) or an LEI (ISO 17442).
    Words run together ("AnnualReport2024Final"), paths and hyphenated words stay as well.
    """
    text = _PARAMETERS.sub(lambda match: match[1] + ID_MASK, text)
    if _DIGIT.search(text):
        text = _ANNOUNCED_ID.sub(lambda match: match[1] + ID_MASK if _is_mixed(match[2]) else match[0], text)
        text = _RUNS.sub(lambda match: _mask_run(match[0]), text)
    return text


def _mask_run(run: str) -> str:
    if _is_base64(run):
        return ID_MASK
    pieces = _PIECE.split(run)  # the odd ones are long runs of letters and digits, or UUIDs
    for index in range(1, len(pieces), 2):
        if "-" in pieces[index] or _is_random(pieces[index]):
            pieces[index] = ID_MASK
    if ID_MASK not in pieces:
        return run
    rest = "".join(pieces).split(ID_MASK)
    return ID_MASK.join(_mask_run(part) if len(part) >= _BASE64 else part for part in rest)


def _is_mixed(run: str) -> bool:
    return _DIGIT.search(run) is not None and _LETTER.search(run) is not None


def _is_random(piece: str) -> bool:
    """Whether a run of ASCII letters and digits, perhaps padded, is no word, number, date or account number."""
    piece = piece.rstrip("=")
    if not _is_mixed(piece) or _is_account(piece):
        return False
    return _HEX.fullmatch(piece) is not None or not (_COMPACT_DATE.fullmatch(piece) or _WORDY.fullmatch(piece))


def _is_base64(run: str) -> bool:
    """Whether a run with separators has both cases, a digit, and no piece that is a word or a number."""
    if len(run) < _BASE64 or not _DIGIT.search(run) or run.islower() or run.isupper():
        return False
    pieces = _SEPARATOR.split(run.rstrip("="))
    if len(pieces) == 1:
        return False
    return not any(_WORD.fullmatch(piece) for piece in pieces)


def _is_account(piece: str) -> bool:
    """Whether it is an IBAN or LEI by its shape and check digits: ISO 7064 MOD 97-10, of an IBAN after rotation."""
    forms = []
    if _IBAN.fullmatch(piece):
        forms.append(piece[4:] + piece[:4])
    if _LEI.fullmatch(piece):
        forms.append(piece)
    return any(int("".join(str(int(sign, 36)) for sign in form)) % 97 == 1 for form in forms)
