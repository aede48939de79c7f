"""A project folder to write configuration into."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from pipeline.config import Page, Project, Site, load_project


@dataclass
class Folder:
    root: Path

    def write(self, name: str, text: str | bytes) -> Path:
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else dedent(text).encode())
        return file

    def load(self, environ: Mapping[str, str] = {}) -> Project:
        return load_project(self.root, environ=environ)

    def site(self, text: str, environ: Mapping[str, str] = {}) -> Site:
        """The site `shop` of this text, which must be right."""
        self.write("sites/shop.yaml", text)
        project = self.load(environ)
        assert [str(problem) for problem in project.problems] == []
        return project.sites["shop"]

    def page(self, keys: str = "", head: str = "") -> Page:
        """The page of one entry with these keys added, which must be right."""
        return self.site(_one_page(keys, head)).pages[0]

    def problems(self, text: str | bytes, environ: Mapping[str, str] = {}) -> list[str]:
        """Everything wrong with the site `shop` of this text, `sites/shop.yaml:` taken off."""
        self.write("sites/shop.yaml", text)
        project = self.load(environ)
        assert "shop" not in project.sites
        return [str(problem).removeprefix("sites/shop.yaml:") for problem in project.problems]

    def page_problem(self, keys: str, head: str = "") -> str:
        """The one thing wrong with an entry with these keys added, line and `pages[0].` taken off."""
        (problem,) = self.problems(_one_page(keys, head))
        return problem.partition(": ")[2].removeprefix("pages[0].")


def _one_page(keys: str, head: str) -> str:
    lines = [line for line in dedent(keys).splitlines() if line.strip()]
    body = "".join(f"    {line}\n" for line in lines)
    return f"{dedent(head)}\npages:\n  - name: anvil\n    url: https://shop.example/anvil\n{body}"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)
