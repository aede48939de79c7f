"""The command line: what people type, and what they read.

    app        the application, the folders every command works in, and how errors end
    commands   every command's options and help; the work is imported when a command runs
    inputs     saved files, standard input and JSONL lines
    streams    standard output and standard error themselves
    usage      what is wrong with a command line, in words
    output     JSON, tables and plain text on standard output
    shown      kinds, values and changed blocks in words
    compare · replay · extract · sql · check · visit · status · diff · doctor · backup    one module a command

`demo`, `up` and `register` need Dagster: `assets.cli` adds them to the same `app` and then calls `run`.
"""

from pipeline.cli import commands as _commands  # noqa: F401  (adds the commands to `app`)
from pipeline.cli.app import Context, ContextParameter, app, run

__all__ = ["Context", "ContextParameter", "app", "run"]
