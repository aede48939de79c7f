"""Which part of the page an element is, by its tag and its ARIA role alone.

A `Zone` is opened for each element that claims to be something; what it really is settles when the whole page has
been walked, because a `header` that holds the page's `h1` or an `aside` that holds the recipe is no chrome.
"""

from collections.abc import Sequence

from turbohtml import Element

from pipeline.model import Region

__all__ = ["Claim", "Zone", "claim", "settle_zones"]

LINK_DENSE = 0.3
"""Share of characters inside links above which an `aside` of the main content is a list of links."""

LANDMARKS = {
    "main": Region.MAIN,
    "nav": Region.NAVIGATION,
    "search": Region.NAVIGATION,
    "header": Region.HEADER,
    "footer": Region.FOOTER,
    "aside": Region.ASIDE,
    "dialog": Region.DIALOG,
}
ROLES = {
    "main": Region.MAIN,
    "navigation": Region.NAVIGATION,
    "menu": Region.NAVIGATION,
    "menubar": Region.NAVIGATION,
    "search": Region.NAVIGATION,
    "banner": Region.HEADER,
    "contentinfo": Region.FOOTER,
    "complementary": Region.ASIDE,
    "dialog": Region.DIALOG,
    "alertdialog": Region.DIALOG,
}
ROLE_SELECTOR = "[role],[aria-modal]"

Claim = Region | None
"""What an element says it is; None for one that says nothing."""


class Zone:
    """A stretch of the page under one claim.

    Attributes:
        inside_content: Lies in the main element or an article.
        text: Characters of visible text inside.
        links: Those of them inside `a`.
        region: Settled by `settle_zones`.
    """

    __slots__ = ("claim", "has_h1", "has_main", "inside_content", "links", "parent", "region", "text")

    def __init__(self, claim: Region, parent: "Zone | None", *, inside_content: bool) -> None:
        self.claim = claim
        self.parent = parent
        self.inside_content = inside_content
        self.has_h1 = False
        self.has_main = claim is Region.MAIN and parent is not None
        self.text = 0
        self.links = 0
        self.region = Region.MAIN
        if self.has_main:
            _mark_upwards(parent, "has_main")

    def holds_h1(self) -> None:
        """Note that the page's heading lies here, and so in every zone around."""
        _mark_upwards(self, "has_h1")


def claim(element: Element, tag: str, *, has_role: bool) -> Claim:
    """What the element claims to be; a role goes before the tag, an unknown role counts as none."""
    if has_role:
        for role in (element.attr("role") or "").lower().split():
            if role in ROLES:
                return ROLES[role]
        if (element.attr("aria-modal") or "").lower() == "true":
            return Region.DIALOG
    return LANDMARKS.get(tag)


def settle_zones(zones: Sequence[Zone]) -> None:
    """Give each zone its region. They come in order of opening, so that a parent is settled before its children."""
    for zone in zones:
        outer = zone.parent.region if zone.parent else Region.MAIN
        zone.region = zone.claim if _holds(zone, outer) else outer


def _holds(zone: Zone, outer: Region) -> bool:
    match zone.claim:
        case Region.MAIN:
            return outer is not Region.DIALOG
        case Region.HEADER:
            return outer is Region.MAIN and not (zone.inside_content or zone.has_main or zone.has_h1)
        case Region.FOOTER:
            return outer is Region.MAIN and not (zone.inside_content or zone.has_main)
        case Region.ASIDE:
            dense = not zone.inside_content or zone.links > LINK_DENSE * zone.text
            return dense and not (zone.has_main or zone.has_h1)
        case _:
            return not zone.has_main


def _mark_upwards(zone: Zone | None, name: str) -> None:
    while zone and not getattr(zone, name):  # stops at the first marked one, so all marking together is linear
        setattr(zone, name, True)
        zone = zone.parent
