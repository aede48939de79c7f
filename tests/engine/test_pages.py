"""Saved pairs of pages of our own making, each with the judgement a person would give.

A folder of `tests/pages/` holds `old.html`, `new.html` and `expected.json`; its name says what happens.
"""

import json
from pathlib import Path

import pytest

from pipeline.engine import compare, printed_judgement

PAIRS = sorted(folder for folder in (Path(__file__).parents[1] / "pages").iterdir() if folder.is_dir())


@pytest.mark.parametrize("folder", PAIRS, ids=lambda folder: folder.name)
def test_a_saved_pair_is_judged_as_a_person_would(folder: Path) -> None:
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    _, judgement = compare((folder / "old.html").read_bytes(), (folder / "new.html").read_bytes())
    line = printed_judgement(judgement, id_=folder.name)
    unexplained = [[b["old"], b["new"]] for b in line["changed_blocks"] if b["explained_by"] is None]
    said = {key: line[key] for key in ("kind", "kind_reason", "also_content", "quality", "fields")}
    assert said | {"unexplained": unexplained} == {key: value for key, value in expected.items() if key != "why"}


def test_all_four_kinds_and_a_failure_are_among_them() -> None:
    kinds = {json.loads((folder / "expected.json").read_text(encoding="utf-8"))["kind"] for folder in PAIRS}
    assert kinds == {"none", "noise", "content", "field", None}
    assert len(PAIRS) >= 12
