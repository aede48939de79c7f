"""The files that a fresh clone is set up by."""

import os
import re
from importlib.metadata import distribution

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from assets.home import SOURCE


def pins() -> dict[str, str]:
    lines = (SOURCE / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if not line.startswith("#"))


def test_constraints_hold_names_and_versions_only() -> None:
    for line in (SOURCE / "constraints.txt").read_text(encoding="utf-8").splitlines():
        assert line.startswith("# ") or re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", line), line


def test_every_dependency_is_pinned_within_what_we_ask_for() -> None:
    known = {canonicalize_name(name): version for name, version in pins().items()}
    for text in distribution("quietdiff").requires or []:
        requirement = Requirement(text)
        assert requirement.specifier.contains(known[canonicalize_name(requirement.name)]), text


def test_ci_can_be_run() -> None:
    assert os.access(SOURCE / ".ci" / "run", os.X_OK)
