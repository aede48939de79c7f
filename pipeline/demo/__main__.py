"""`python -m pipeline.demo`: the demo site on the real clock, until Ctrl-C."""

import argparse
import sys
from datetime import timedelta

from pipeline.demo.server import DEFAULT_PORT, run_forever
from pipeline.errors import UsageError


def main() -> None:
    """Serve by the command line's options; a wrong option or a taken port ends with status 2."""
    parser = argparse.ArgumentParser(prog="python -m pipeline.demo", description=__doc__)
    parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="0 for any free one (default %(default)s)")
    parser.add_argument(
        "--day-minutes", type=float, default=30, help="length of a day of the script (default %(default)s)"
    )
    options = parser.parse_args()
    if options.day_minutes <= 0:
        parser.error("--day-minutes: more than 0 is expected")
    try:
        run_forever(options.port, timedelta(minutes=options.day_minutes), started=_announce)
    except UsageError as error:
        parser.exit(2, f"{error}\n")


def _announce(address: str) -> None:
    sys.stdout.write(f"demo site at {address}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
