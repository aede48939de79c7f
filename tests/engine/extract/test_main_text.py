import json
import subprocess
import sys
from types import SimpleNamespace

from pipeline.extract import main_text, workers
from pipeline.extract.main_text import article_text, squeezed

PAGE = (
    "<html><body><nav><a href=/>Home</a></nav><article><h1>How anvils are made</h1>"
    + "".join(
        f"<p>Paragraph {n}: the smith heats the iron, strikes it, and looks at what has become of it.</p>"
        for n in range(8)
    )
    + "</article></body></html>"
)


def test_the_main_text_comes_from_a_process_of_its_own() -> None:
    text = article_text(PAGE)
    assert text is not None
    assert squeezed("Paragraph 3: the smith heats the iron") in text


def test_a_page_without_an_article_has_none() -> None:
    assert article_text("<p>") is None


def test_a_child_that_takes_too_long_is_given_up() -> None:
    assert article_text(PAGE, wait_s=0.01) is None


def test_a_child_that_dies_or_writes_nonsense_gives_none(monkeypatch) -> None:
    def killed(*args, **kwargs):
        raise subprocess.CalledProcessError(-9, "child")

    monkeypatch.setattr(workers.subprocess, "run", killed)
    assert article_text(PAGE) is None
    monkeypatch.setattr(workers.subprocess, "run", lambda *args, **kwargs: SimpleNamespace(stdout=b"{"))
    assert article_text(PAGE) is None


def test_a_very_long_page_is_not_tried() -> None:
    assert article_text("x" * (main_text.LONGEST_MARKUP + 1)) is None


def test_the_child_limits_itself_and_writes_a_json_string_a_line() -> None:
    child = subprocess.run(
        [sys.executable, "-m", "pipeline.extract.article"],
        input=PAGE.encode(),
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert child.stderr == b""
    lines = [json.loads(line) for line in child.stdout.splitlines()]
    assert any("Paragraph 7" in line for line in lines)
