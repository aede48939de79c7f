"""One form for what looks the same: quotes, dashes, invisible characters, white space, Unicode composition."""

import re
import unicodedata

__all__ = ["fold"]

_REPLACED = {
    # Curly, low, angle, reversed, prime and acute stand-ins for the two ASCII quotes.
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u02bc\u00b4`", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\u301f", '"'),
    # Unicode's dashes (general category Pd without those of one script only) and the minus sign.
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2e3a\u2e3b\ufe58\ufe63\uff0d\u2212", "-"),
    "\u2026": "...",
    "\u2044": "/",
}

# Unicode 16.0, DerivedCoreProperties.txt, Default_Ignorable_Code_Point: soft hyphen, zero-width and bidi controls,
# joiners, variation selectors, fillers, tags.
_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROLS = "\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f"  # general category Cc but for white space
_SURROGATES = "\ud800-\udfff"
_REPLACEMENT = "\ufffd"

_ODD = re.compile(f"[{''.join(_REPLACED)}{_IGNORABLE}{_CONTROLS}{_SURROGATES}]")
_DASHES = re.compile("--+")


def fold(text: str) -> str:
    """A text in the form it is compared in; folding twice is folding once.

    Quotes become `'` or `"`, dashes and runs of them `-`, an ellipsis `...`; soft hyphens, zero-width and bidi
    controls and other invisible characters go; any white space becomes one space, none at the ends. NFC and not NFKC,
    so that `m²` and `½` stay what they are. Case and all other signs are kept. A lone surrogate becomes U+FFFD.

    Returns:
        An empty string for a text of nothing visible.
    """
    if text.isascii() and text.isprintable() and "`" not in text and "--" not in text and "  " not in text:
        return text.strip(" ")  # nothing to make uniform, as in most blocks: a third of the time
    text = unicodedata.normalize("NFC", text)
    if _ODD.search(text):
        # What was removed may have stood between a letter and its accent.
        text = unicodedata.normalize("NFC", _ODD.sub(_plain, text))
    if "--" in text:
        text = _DASHES.sub("-", text)
    if text.isprintable() and "  " not in text:  # no white space but single spaces: a quarter of the time of a split
        return text.strip(" ")
    return " ".join(text.split())


def _plain(match: re.Match[str]) -> str:
    character = match.group()
    if "\ud800" <= character <= "\udfff":
        return _REPLACEMENT
    return _REPLACED.get(character, "")
