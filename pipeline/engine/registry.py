"""Keeping the tables of what is watched equal to the site files."""

import hashlib
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pipeline.classify import DETECTOR_VERSION
from pipeline.config import Page, Site, canonical_url, rules_json, settle
from pipeline.engine.base import Engine
from pipeline.extract import EXTRACTOR_VERSION
from pipeline.fingerprint import FINGERPRINT_VERSION
from pipeline.model import Purpose, Rules, Vantage
from pipeline.normalize import NORMALIZER_VERSION
from pipeline.warehouse import Session, Transaction

__all__ = ["register_sites", "rules_ids_for", "vantage_from_json", "vantage_json"]

_VERSIONS = {
    "extractor_version": EXTRACTOR_VERSION,
    "normalizer_version": NORMALIZER_VERSION,
    "fingerprint_version": FINGERPRINT_VERSION,
    "detector_version": DETECTOR_VERSION,
}

_NEW_STATE: Mapping[str, Any] = {
    "last_visit_no": 0,
    "validator_trust": "untried",
    "visits_since_full": 0,
    "failure_streak": 0,
    "rate_a": 0.5,  # where every page's Gamma prior starts: 0.2 changes a day
    "rate_b": 2.5,
    "next_purpose": Purpose.WATCH,
}


def register_sites(engine: Engine, session: Session) -> None:
    """Make the tables `sites`, `pages`, `rules` and `page_state` equal to the project's site files.

    Does nothing when no file changed since the last time. A site whose file is gone becomes inactive, but a site
    whose file is malformed keeps what was in force. History and ids stay.
    """
    now = engine.clock.now()
    known = {row["site"]: row for row in session.rows("select_sites")}
    changed = [
        site
        for site in engine.project.sites.values()
        if site.name not in known
        or not known[site.name]["active"]
        or known[site.name]["config_sha256"] != _digest(site)
    ]
    gone = [
        row
        for name, row in known.items()
        if row["active"] and name not in engine.project.sites and name not in engine.project.malformed
    ]
    if not changed and not gone:
        return
    with session.transaction(stage="config", run_id=engine.run_id, now=now) as transaction:
        for site in changed:
            first = known.get(site.name, {}).get("first_seen_at", now)
            _register(session, transaction, site, now, first)
        for row in gone:
            _deactivate(session, transaction, row, now)


def rules_ids_for(session: Session, transaction: Transaction, rules: Sequence[Rules], now: datetime) -> list[int]:
    """The id of each of some rules under the present versions of the stages; given once, under the lock."""
    texts = [rules_json(each) for each in rules]
    digests = [hashlib.sha256(json.dumps([text, _VERSIONS], sort_keys=True).encode()).hexdigest() for text in texts]
    known = {row["rules_sha256"]: int(row["rules_id"]) for row in session.rows("select_rules")}
    fresh = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in known}
    known |= zip(fresh, itertools.count(max(known.values(), default=0) + 1))
    rows = [
        {"rules_id": known[digest], "rules_sha256": digest, "rules_json": text, "first_used_at": now} | _VERSIONS
        for digest, text in fresh.items()
    ]
    transaction.insert("rules", rows)
    return [known[digest] for digest in digests]


def vantage_json(vantage: Vantage) -> str:
    """A vantage as canonical JSON; holds labels and names only, never a proxy's URL or a cookie's value."""
    packed = {
        "country": vantage.country,
        "accept_language": vantage.language,
        "user_agent": vantage.user_agent,
        "proxy": vantage.proxy,
        "cookies": dict(vantage.cookies),
    }
    return json.dumps(packed, sort_keys=True, separators=(",", ":"))


def vantage_from_json(text: str) -> Vantage:
    """The inverse of `vantage_json`."""
    packed = json.loads(text)
    return Vantage(
        country=packed["country"],
        language=packed["accept_language"],
        user_agent=packed["user_agent"],
        proxy=packed["proxy"],
        cookies=tuple(sorted(packed["cookies"].items())),
    )


@dataclass(frozen=True, slots=True)
class _Identity:
    """What makes a page the same page."""

    url: str
    vantage_sha256: str


def _register(session: Session, transaction: Transaction, site: Site, now: datetime, first: datetime) -> None:
    rows = session.rows("select_pages", batch=[{"site": site.name}])
    newest = {row["page_name"]: row for row in sorted(rows, key=lambda row: row["generation"])}
    next_id = session.one("next_page_id")["page_id"]
    written: list[dict[str, Any]] = []
    fresh: list[int] = []
    rules = [_rules_of(page, newest) for page in site.pages]
    for page, page_rules, rules_id in zip(
        site.pages, rules, rules_ids_for(session, transaction, rules, now), strict=True
    ):
        row = _page_row(site, page, newest, now) | {"page_type": page_rules.page_type, "rules_id": rules_id}
        if row["page_id"] is None:
            row["page_id"] = next_id
            fresh.append(next_id)
            next_id += 1
        written.append(row)
    kept = {row["page_id"] for row in written}
    written += [
        row | {"active": False, "removed_at": now} for row in rows if row["active"] and row["page_id"] not in kept
    ]
    transaction.replace("pages", "page_id", written)
    transaction.insert("page_state", [dict(_NEW_STATE) | {"page_id": page_id, "next_due_at": now} for page_id in fresh])
    site_row = {
        "site": site.name,
        "active": True,
        "time_zone": site.time_zone,
        "config_sha256": _digest(site),
    }
    transaction.replace("sites", "site", [site_row | {"first_seen_at": first, "removed_at": None}])


def _before(page: Page, newest: Mapping[str, dict[str, Any]]) -> tuple[dict[str, Any] | None, bool]:
    """The newest row of a page's name, and whether it is the same page still."""
    before = newest.get(page.name) or newest.get(page.was or "")
    identity = _identity(page.url, vantage_json(page.vantage))
    same = before is not None and identity == _Identity(before["canonical_url"], before["vantage_sha256"])
    return before, same


def _rules_of(page: Page, newest: Mapping[str, dict[str, Any]]) -> Rules:
    """The page's rules; a page type found by its first good visit stays and never changes by itself."""
    before, same = _before(page, newest)
    if same and before is not None and page.rules.page_type == "auto" and before["page_type"] != "auto":
        return settle(page.rules, before["page_type"])
    return page.rules


def _page_row(site: Site, page: Page, newest: Mapping[str, dict[str, Any]], now: datetime) -> dict[str, Any]:
    """The row of a configured page but for its rules; `page_id` None when it is a new one or a new generation."""
    identity = _identity(page.url, vantage_json(page.vantage))
    before, same = _before(page, newest)
    generation = 1 if before is None else before["generation"] + (not same)
    return {
        "page_id": before["page_id"] if same and before else None,
        "site": site.name,
        "page_name": page.name,
        "generation": generation,
        "previous_page_id": (before["previous_page_id"] if same else before["page_id"]) if before else None,
        "url": page.url,
        "canonical_url": identity.url,
        "vantage_sha256": identity.vantage_sha256,
        "vantage_json": vantage_json(page.vantage),
        "page_role": page.role,
        "importance": page.importance,
        "active": True,
        "first_seen_at": before["first_seen_at"] if same and before else now,
        "removed_at": None,
    }


def _deactivate(session: Session, transaction: Transaction, site: dict[str, Any], now: datetime) -> None:
    pages = session.rows("select_pages", batch=[{"site": site["site"]}])
    gone = [row | {"active": False, "removed_at": now} for row in pages if row["active"]]
    transaction.replace("pages", "page_id", gone)
    transaction.replace("sites", "site", [site | {"active": False, "removed_at": now}])


def _identity(url: str, vantage: str) -> _Identity:
    return _Identity(canonical_url(url), hashlib.sha256(vantage.encode()).hexdigest())


def _digest(site: Site) -> str:
    """Changes whenever anything that the tables hold of the site can have changed."""
    pages: Iterable[tuple[Any, ...]] = (
        (p.name, p.url, vantage_json(p.vantage), rules_json(p.rules), p.importance, p.role, p.was) for p in site.pages
    )
    text = json.dumps([site.sha256, site.time_zone, _VERSIONS, list(pages)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
