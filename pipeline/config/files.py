"""Configuration files on disk: their bytes, bounded, and what those say."""

from pathlib import Path

from pipeline.config.yamltext import Problem, Value, read_yaml

__all__ = ["MAX_FILE_BYTES", "parse_bytes", "read_bytes", "read_file", "site_files"]

MAX_FILE_BYTES = 10_000_000
"""Largest configuration file: about 100,000 pages."""


def site_files(root: Path) -> list[Path]:
    """The files of `sites/` that are or were meant to be site files, by name; hidden ones are not."""
    folder = root / "sites"
    if not folder.is_dir():
        return []
    files = (file for file in folder.iterdir() if file.suffix in {".yaml", ".yml"})
    return sorted((file for file in files if not file.name.startswith(".")), key=lambda file: (file.stem, file))


def read_file(file: Path) -> tuple[Value, list[Problem]]:
    """The value of a YAML file and everything wrong with it as a file."""
    body, problems = read_bytes(file)
    return parse_bytes(body) if not problems else (None, problems)


def read_bytes(file: Path) -> tuple[bytes, list[Problem]]:
    """The bytes of a file, or none and why."""
    try:
        with file.open("rb") as stream:
            body = stream.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        return b"", [Problem((), f"cannot be read: {error.strerror}")]
    if len(body) > MAX_FILE_BYTES:
        return b"", [Problem((), f"larger than {MAX_FILE_BYTES:,} bytes; split it into several files")]
    return body, []


def parse_bytes(body: bytes) -> tuple[Value, list[Problem]]:
    """The value of a YAML document in UTF-8 and everything wrong with it as such."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        return None, [Problem((), "not UTF-8; save the file in that encoding", line)]
    return read_yaml(text)
