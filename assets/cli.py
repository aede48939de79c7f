"""The command `quietdiff`: all of `pipeline.cli`, and what needs Dagster."""
# ruff: noqa: PLC0415  (Dagster takes a second to import, which `--help` and most commands need not spend)

import os
import sys
from typing import Annotated

from cyclopts import Parameter, validators
from rich.console import Console

from pipeline.cli import ContextParameter, app, run

Port = Annotated[int, Parameter(validator=validators.Number(gte=1, lte=65_535))]


@app.command
def demo(*, context: ContextParameter) -> int:
    """Run the whole job on the built-in demo site through five simulated days, and say what changed and why.

    Empties and fills the folder `demo` in the data folder; needs no network.

    Example: `quietdiff demo`

    Args:
        context: Where to work.
    """
    console = Console(stderr=True)
    with console.status("starting") as status:
        from assets.demo import run_demo

        folder = run_demo(context.data, status.update)
    from assets.demo_report import print_report

    print_report(folder.data, folder.root)
    return 0


@app.command
def up(*, port: Port = 3000, demo_port: Port = 8600, context: ContextParameter) -> int:
    """Start the Dagster UI, its daemon with the schedule on, and the demo site; Ctrl-C ends all of it.

    Example: `quietdiff up`

    Args:
        port: Port of the Dagster UI on this machine.
        demo_port: Port of the demo site; `sites/demo.yaml` watches it at 8600.
        context: Where to work.
    """
    from assets.up import up as run_up

    return run_up(
        context.project(),
        environ=context.environ,
        port=port,
        demo_port=demo_port,
        tell=lambda line: print(line, flush=True),  # noqa: T201
    )


@app.command
def register(*, context: ContextParameter) -> int:
    """Make the sites of `sites/` known to Dagster as partitions; a sensor does the same every minute.

    Example: `quietdiff register`

    Args:
        context: Where to work.
    """
    from assets.home import open_instance, prepare_home
    from assets.registration import register_partitions

    project = context.project()
    with open_instance(prepare_home(project.root, project.data)) as instance:
        new = register_partitions(instance, project)
    print(f"registered: {', '.join(new)}" if new else "no new site")  # noqa: T201
    for problem in project.problems:
        print(f"quietdiff: {problem}; not registered until that is right", file=sys.stderr)  # noqa: T201
    return 0


@app.command
def upkeep(*, context: ContextParameter) -> int:
    """Let go of what nobody needs any more, and say what was freed; the job `upkeep` does the same while `up` runs.

    Example: `quietdiff upkeep`

    Args:
        context: Where to work.
    """
    from assets.upkeep import run_upkeep

    return run_upkeep(
        context.project(),
        environ=context.environ,
        clock=context.clock,
        tell=lambda line: print(line, flush=True),  # noqa: T201
        complain=lambda line: print(f"quietdiff: {line}", file=sys.stderr, flush=True),  # noqa: T201
    )


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(app, None, os.environ))


if __name__ == "__main__":
    main()
