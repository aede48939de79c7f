"""Every figure of detection, one after the other.

Usage: python -m benchmarks.detection.everything CORPUS HISTORIES

CORPUS holds `labels.jsonl` and `pages/`, HISTORIES `manifest.jsonl`; see the modules that are run for what is in them.
"""

import subprocess
import sys
from pathlib import Path


def main() -> None:
    """Run each benchmark in a process of its own; ends with 1 if one of them failed."""
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    corpus, histories = map(Path, sys.argv[1:])
    runs = {
        "benchmarks.detection": [corpus, "--misses"],
        "benchmarks.detection.synthetic": [corpus / "pages"],
        "benchmarks.detection.histories": [histories, "--misses"],
        "benchmarks.detection.threshold": [histories],
    }
    failed = []
    for module, arguments in runs.items():
        print(f"\n── {module} ──\n", flush=True)
        if subprocess.run([sys.executable, "-m", module, *map(str, arguments)], check=False).returncode:
            failed.append(module)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
