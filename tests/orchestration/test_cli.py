"""The commands that need Dagster."""

from pathlib import Path

import pytest

from assets.cli import app
from assets.home import open_instance
from pipeline.cli import run
from tests.orchestration.conftest import Deployment


def test_register_makes_the_sites_partitions_and_says_so(
    deployment: Deployment, capsys: pytest.CaptureFixture[str]
) -> None:
    deployment.write_site("b", "fixed")
    deployment.write_site("a", "fixed")
    deployment.break_site("broken")

    assert run(app, ["register", "--project", str(deployment.root)], {}) == 0
    printed = capsys.readouterr()
    assert printed.out == "registered: a, b\n"
    assert printed.err.startswith("quietdiff: sites/broken.yaml:2: ")
    with open_instance(deployment.data / "dagster") as instance:
        assert sorted(instance.get_dynamic_partitions("site")) == ["a", "b"]
    assert run(app, ["register", "--project", str(deployment.root)], {}) == 0
    assert capsys.readouterr().out == "no new site\n"


def test_demo_refuses_a_folder_that_it_did_not_make(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "demo").mkdir()
    (tmp_path / "demo" / "thesis.txt").touch()

    assert run(app, ["demo", "--data", str(tmp_path)], {}) == 2
    assert "not a demo's folder" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["demo", "up", "register", "upkeep", "visit", "compare"])
def test_every_command_has_its_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(app, [command, "--help"], {}) == 0
    assert f"quietdiff {command}" in capsys.readouterr().out
