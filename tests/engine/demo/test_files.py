"""Files of the project that follow from the script."""

from pathlib import Path

import pytest
from ruamel.yaml import YAML

from pipeline.config import load_project
from pipeline.demo import PAGES, demo_table, expectations, site_yaml, write_files
from pipeline.demo.files import with_table

ROOT = Path(__file__).parents[3]
HOW = "run: python -c \"from pathlib import Path; from pipeline.demo import write_files; write_files(Path('.'))\""


def test_the_documents_table_is_current():
    text = (ROOT / "docs" / "demo.md").read_text(encoding="utf-8")
    assert with_table(text) == text, HOW


def test_the_bundled_site_file_is_current():
    assert (ROOT / "sites" / "demo.yaml").read_text(encoding="utf-8") == site_yaml(), HOW


def test_the_table_has_a_row_a_page_and_a_column_a_day():
    head, rule, *rows = demo_table().splitlines()
    assert head == "| page | day 1 | day 2 | day 3 | day 4 | day 5 |"
    assert rule == "|---|---|---|---|---|---|"
    assert [row.split("|")[1].strip(" `") for row in rows] == [page.name for page in PAGES]
    assert all(row.count("|") == 7 for row in rows)


def test_the_table_says_outcome_kind_and_values():
    table = demo_table()
    assert "ok: **field** (fields)<br>price: 89.00 EUR → 79.00 EUR" in table
    assert "failed (http_500): no kind (not_good)" in table
    assert "vanished<br>text: seats forty readers → seats four readers<br>confirm visit ok: **none**" in table


def test_every_visit_is_in_the_table():
    assert demo_table().count("no kind") + demo_table().count("**") // 2 == len(expectations())


def test_the_site_file_watches_every_page_at_its_address():
    site = YAML(typ="safe").load(site_yaml("http://127.0.0.1:1234"))
    assert {page["name"]: page["url"] for page in site["pages"]} == {
        page.name: f"http://127.0.0.1:1234/{page.name}" for page in PAGES
    }


def test_the_site_file_is_valid_and_tracks_what_the_script_changes():
    project = load_project(ROOT)
    site = project.sites["demo"]
    assert not [problem for problem in project.problems if "demo.yaml" in str(problem.path)]
    tracked = {page.name: {field.name for field in page.rules.fields} for page in site.pages}
    assert all(page.fields.keys() <= tracked[page.name] for page in PAGES)


def test_the_site_file_begins_with_the_line_that_editors_read():
    assert site_yaml().splitlines()[0] == "# yaml-language-server: $schema=schema.json"


def test_writing_the_files_changes_the_table_alone(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "sites").mkdir()
    text = (ROOT / "docs" / "demo.md").read_text(encoding="utf-8")
    (tmp_path / "docs" / "demo.md").write_text(text.replace(demo_table(), "old\n"), encoding="utf-8")
    write_files(tmp_path)
    assert (tmp_path / "docs" / "demo.md").read_text(encoding="utf-8") == text
    assert (tmp_path / "sites" / "demo.yaml").read_text(encoding="utf-8") == site_yaml()


def test_a_document_without_markers_is_not_overwritten():
    with pytest.raises(ValueError, match="marker"):
        with_table("# The demo site\n")
