"""The demo site: a small web server whose pages behave by a script, and what Quietdiff should say of them."""

from pipeline.demo.expected import Expectation, expectations, watch_moment
from pipeline.demo.files import demo_table, site_yaml, write_files
from pipeline.demo.pages import PAGES
from pipeline.demo.script import CYCLE_DAYS, DemoScript
from pipeline.demo.server import DEFAULT_PORT, run_forever, serve

__all__ = [
    "CYCLE_DAYS",
    "DEFAULT_PORT",
    "PAGES",
    "DemoScript",
    "Expectation",
    "demo_table",
    "expectations",
    "run_forever",
    "serve",
    "site_yaml",
    "watch_moment",
    "write_files",
]
