"""Options everywhere, exit statuses, errors on one line, quick help."""

import io
import os
import re
import signal
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from pipeline.cli import app, run
from pipeline.errors import StoreError

ROOT = Path(__file__).parents[3]
COMMANDS = ["check", "compare", "diff", "extract", "replay", "sql", "status", "visit"]
MAIN = "import os; from pipeline.cli import app, run; raise SystemExit(run(app, None, os.environ))"


def process(*argv, **options):
    command = [sys.executable, "-c", MAIN, *argv]
    return subprocess.run(command, cwd=ROOT, capture_output=True, timeout=60, check=False, **options)


def test_the_version_is_printed(cli):
    assert cli("--version").out == f"quietdiff {version('quietdiff')}\n"


def test_no_command_prints_the_help(cli):
    result = cli()
    assert result.status == 0
    assert all(name in result.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example_and_the_two_folders(cli, name):
    result = cli(name, "--help")
    assert result.status == 0
    assert f"Example: quietdiff {name}" in result.out
    assert "--project" in result.out
    assert "--data" in result.out


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["chekc"], "no command `chekc`; did you mean `check`?; see"),
        (["zzz"], "no command `zzz`; expected backup, calibrate, "),
        (["--jsn"], "no option `--jsn`; see"),
        (["sql", "SELECT 1", "--output"], "quietdiff: --output needs a value; see quietdiff sql --help"),
        (["--data"], "quietdiff: --data needs a value; see"),
        (["diff", "v1-2", "b"], "there is `b`"),
        (["compare", "a", "b", "--url", "x", "--url", "y"], "--url is given more than once"),
        (["replay", "--calibrate", "x", "a.html"], "--calibrate: `x` is not a whole number"),
        (["check", "--jsn"], "--jsn"),
        (["status", "--jso"], "Did you mean --json?"),
        (["sql"], "STATEMENT is missing"),
        (["sql", "SELECT 1", "--format", "xml"], "xml"),
        (["replay", "--calibrate", "-1", "a.html"], "--calibrate"),
        (["compare", "a.html"], "compare needs two files"),
        (["compare", "nothere.html", "nothere.html"], "nothere.html"),
        (["check", "--project", "nothere"], "no such folder"),
        (["visit", "nothere"], "no site `nothere`"),
    ],
)
def test_bad_usage_is_status_2_and_one_line(cli, argv, said):
    result = cli(*argv)
    assert (result.status, result.out) == (2, "")
    assert result.err.startswith("quietdiff: ")
    assert result.err.count("\n") == 1
    assert said in result.err


def test_the_folders_may_stand_before_and_after_the_command(cli):
    cli.write("there/sites/there.yaml", 'pages: [{name: a, url: "https://new.example/"}]\n')
    for argv in (["--project", "there", "check"], ["check", "--project", "there"], ["check", "--project=there"]):
        assert "there" in cli(*argv).out


def test_a_data_folder_on_the_command_line_counts_from_the_current_folder(cli):
    (cli.folder / "there").mkdir()
    result = cli("sql", "SELECT 1", "--project", "there", "--data", "data/demo")
    assert f"{cli.folder}/data/demo/published" in result.err


def test_a_data_folder_from_the_environment_counts_from_the_project(cli):
    (cli.folder / "there").mkdir()
    result = cli("sql", "SELECT 1", "--project", "there", QUIETDIFF_DATA="other")
    assert f"{cli.folder}/there/other/published" in result.err
    assert f"{cli.folder}/there/data/published" in cli("sql", "SELECT 1", "--project", "there").err


def test_a_database_that_cannot_be_used_is_status_1(cli, pages, monkeypatch):
    monkeypatch.setattr("pipeline.cli.compare.compare_files", _raise(StoreError("x: held by process 7; wait")))
    result = cli("compare", "terms30.html", "terms14.html")
    assert (result.status, result.err) == (1, "quietdiff: x: held by process 7; wait\n")


def test_a_bug_is_one_line_unless_debugging(cli, monkeypatch):
    monkeypatch.setattr("pipeline.cli.compare.compare_files", _raise(KeyError("x\ny")))
    result = cli("compare", "a", "b")
    assert result.status == 1
    assert result.err.startswith("quietdiff: unexpected KeyError at test_app.py:")
    assert result.err.count("\n") == 1
    assert "Traceback" in cli("compare", "a", "b", QUIETDIFF_DEBUG="1").err
    assert "Traceback" not in cli("visit", "nothere", QUIETDIFF_DEBUG="1").err


def test_a_full_disk_is_one_line_that_blames_the_right_file(cli, monkeypatch):
    monkeypatch.setattr("pipeline.cli.compare.compare_files", _raise(OSError(28, "No space left on device")))
    result = cli("compare", "a", "b")
    assert result.status == 1
    assert re.fullmatch(r"quietdiff: test_app.py:\d+: No space left on device\n", result.err)


@pytest.mark.parametrize(
    "argv",
    [["check"], ["--help"], ["compare", "--pairs", "-"], ["replay", "tests/pages/terms-not-added/old.html", "x"]],
)
def test_an_output_that_is_full_is_status_1_and_one_line(argv):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *argv],
            cwd=ROOT, input=b"{}\n" * 10, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == b"quietdiff: standard output: No space left on device"
    assert all(line.startswith(b"quietdiff: ") for line in done.stderr.splitlines())


def test_an_output_that_is_closed_is_status_1_and_one_line():
    done = subprocess.run(
        ["/bin/sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-c", MAIN, "check"],
        cwd=ROOT, stderr=subprocess.PIPE, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, b"quietdiff: standard output: Bad file descriptor\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_usage_line_has_the_names_of_the_arguments(cli, name):
    usage = cli(name, "--help").out.split("\n\n")[0]
    assert usage.startswith(f"Usage: quietdiff {name}")
    assert "ARGS" not in usage


def test_hints_repeat_the_folders_so_that_they_can_be_pasted(cli):
    folder = cli.folder / "my data"
    assert f"quietdiff --data '{folder}' visit SITE" in cli("sql", "SELECT 1", "--data", folder).err
    assert f"""quietdiff --data '{folder}' sql "SELECT""" in cli("diff", "x", "--data", folder).err


def test_an_interrupt_is_status_130_and_one_line(cli, monkeypatch):
    monkeypatch.setattr("pipeline.cli.compare.compare_files", _raise(KeyboardInterrupt()))
    result = cli("compare", "a", "b")
    assert result.status == 130
    assert result.err.count("\n") == 1


def test_help_imports_nothing_heavy():
    heavy = "{'dagster', 'duckdb', 'pandas', 'trafilatura', 'httpx', 'pydantic', 'pyarrow'}"
    code = f"import sys; from pipeline.cli import app, run; run(app, ['--help'], {{}}); sys.exit(str({heavy} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, timeout=60, check=False)
    assert done.stderr.decode().strip() == "set()"


def test_the_process_ends_with_status_0_when_it_did_its_work():
    done = process("check")
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_process_ends_with_status_2_for_bad_usage():
    done = process("nothere")
    assert (done.returncode, done.stdout) == (2, b"")


def test_the_process_ends_with_status_1_for_a_line_that_cannot_be_judged():
    done = process("compare", "--pairs", "-", "--json", input=b"{}\n")
    assert (done.returncode, done.stdout.count(b"\n"), done.stderr) == (1, 1, b"")


def test_utf8_is_written_whatever_the_locale():
    line = '{"id": "價格", "old": "x", "new": "x"}\n'.encode()
    done = process("compare", "--pairs", "-", input=line, env=os.environ | {"PYTHONIOENCODING": "latin-1"})
    assert '"價格"' in done.stdout.decode()


def test_a_reader_that_goes_away_is_no_complaint():
    reader, writer = os.pipe()
    os.close(reader)
    for argv in (["check"], ["--help"], ["compare", "--pairs", "-"]):
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *argv],
            cwd=ROOT, input=b"{}\n" * 10, stdout=writer, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
        assert (done.returncode, done.stderr) == (1, b"")
    os.close(writer)


def test_a_progress_bar_on_the_terminal_leaves_the_results_alone(tmp_path):
    ours, terminal = os.openpty()
    with (tmp_path / "out.jsonl").open("wb") as out:
        command = [sys.executable, "-c", MAIN, "compare", "--pairs", "-"]
        subprocess.run(command, cwd=ROOT, input=b"{}\n" * 3, stdout=out, stderr=terminal, timeout=60, check=False)
    os.close(terminal)
    assert (tmp_path / "out.jsonl").read_bytes().count(b'"error"') == 3
    seen = os.read(ours, 100_000)
    os.close(ours)
    assert b"pairs" in seen
    assert b"error" not in seen


def test_ctrl_c_ends_the_process_with_one_line():
    heard = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {MAIN}"  # not if inherited as ignored
    argv = [sys.executable, "-u", "-c", heard, "compare", "--pairs", "-"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(argv, cwd=ROOT, **pipes) as running:
        running.stdin.write(b"{}\n")
        running.stdin.flush()
        running.stdout.readline()  # it is at work, and waits for the next line
        running.send_signal(signal.SIGINT)
        _, error = running.communicate(timeout=60)
        assert running.returncode == 130
    assert error.startswith(b"quietdiff: interrupted")
    assert error.count(b"\n") == 1


def test_output_that_is_no_text_stream_is_left_as_it_is(monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert run(app, ["--version"], {}) == 0
    assert out.getvalue().startswith("quietdiff ")


def _raise(error):
    def fail(*_arguments, **_options):
        raise error

    return fail


def test_ctrl_c_inside_of_a_query_is_an_interruption(cli, monkeypatch):
    def interrupted(*_, **__):
        raise RuntimeError("Query interrupted")

    monkeypatch.setattr("pipeline.cli.check.check_files", interrupted)
    result = cli("check")
    assert (result.status, result.err) == (130, "quietdiff: interrupted; what was written before stands\n")
