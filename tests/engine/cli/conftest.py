"""Commands run in this process, in a folder of their own; saved pages; a project that watches the demo site."""

import io
import json
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.cli import app, run
from pipeline.clock import SteppedClock
from pipeline.demo import DemoScript, serve, site_yaml

START = datetime(2026, 3, 2, tzinfo=UTC)

TERMS = """<!doctype html><html lang="en"><head><title>Terms</title></head><body>
<nav><a href="/">Home</a></nav>
<main><h1>Terms of sale</h1><p>You may return goods within {days} days of delivery, at our cost.</p>
<p>Prices include tax and the carriage to your door, wherever in the country you live.</p></main>
<footer>Page made at {clock}</footer></body></html>"""

PRODUCT = """<!doctype html><html lang="en"><head><title>Anvil</title>
<script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Product", "name": "Anvil",
"offers": {{"@type": "Offer", "price": "{price}", "priceCurrency": "EUR",
"availability": "https://schema.org/InStock"}}}}</script></head>
<body><main><h1>Anvil</h1><p>A forged steel anvil of twenty kilograms for the small workshop.</p>
<p>{price} EUR</p></main></body></html>"""


@dataclass
class Result:
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def lines(self):
        return [json.loads(line) for line in self.out.split("\n")[:-1]]


class Screen(io.StringIO):
    """A terminal that remembers what it showed."""

    def isatty(self):
        return True


class Cli:
    """The command line, in a folder with a clock that stands."""

    def __init__(self, capsys, monkeypatch, folder):
        self.capsys, self.monkeypatch, self.folder = capsys, monkeypatch, folder
        self.clock = SteppedClock(START)
        self.environ = {}

    def __call__(self, *argv, stdin=b"", **environ):
        self.monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = run(app, [str(part) for part in argv], self.environ | environ, clock=self.clock)
        captured = self.capsys.readouterr()
        return Result(status, captured.out, captured.err)

    def on_terminal(self, width, *argv):
        """The lines that a terminal of so many columns shows, without their styles and trailing blanks."""
        screen = Screen()
        with self.monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", screen)
            patched.setenv("COLUMNS", str(width))
            patched.setenv("TERM", "xterm")
            assert run(app, [str(part) for part in argv], self.environ, clock=self.clock) == 0
        plain = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue())
        return [line.rstrip() for line in plain.splitlines()]

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path


@pytest.fixture
def cli(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return Cli(capsys, monkeypatch, tmp_path)


@pytest.fixture
def pages(cli):
    """Saved pages: `terms30.html`, `terms14.html`, `anvil89.html` and so on."""
    for days in (30, 14):
        cli.write(f"terms{days}.html", TERMS.format(days=days, clock="10:15:30"))
    cli.write("terms30later.html", TERMS.format(days=30, clock="11:42:07"))
    for price in ("89.00", "79.00"):
        cli.write(f"anvil{price[:2]}.html", PRODUCT.format(price=price))
    cli.write("empty.html", "")
    return cli.folder


class DemoProject:
    """A project that watches the served demo site; `visit_day` visits on a day of its script."""

    def __init__(self, cli, script):
        self.cli, self.script = cli, script

    def visit_day(self, day, *arguments, after=timedelta()):
        self.cli.clock.set(self.script.moment(day, 0.4) + after)
        return self.cli("visit", "demo", *arguments)


@pytest.fixture
def demo(cli):
    script = DemoScript(START)
    with serve(script, cli.clock) as address:
        cli.write("sites/demo.yaml", site_yaml(address))
        host = address.removeprefix("http://")
        cli.write(
            "quietdiff.yaml",
            f'fetch: {{hosts: {{"{host}": {{delay: 0s}}}}, allow_private: ["{host}", "127.0.0.1:9"]}}\n',
        )
        yield DemoProject(cli, script)
