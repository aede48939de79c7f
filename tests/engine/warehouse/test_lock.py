"""Taking turns: who waits, for whom, and who comes next."""

import logging
import subprocess
import sys
import threading
from collections import namedtuple
from pathlib import Path

import psutil
import pytest
from filelock import FileLock, Timeout

from pipeline.errors import StoreBusyError, StoreError
from pipeline.warehouse import lock
from pipeline.warehouse.filesystem import refuse_network
from pipeline.warehouse.lock import holding, read_holder

HOLD = (
    "import sys; from pathlib import Path; from pipeline.warehouse.lock import holding\n"
    "with holding(Path(sys.argv[1]), wait_s=5, command='the other run'): print('held', flush=True); input()"
)


def held_by_another(path: Path) -> subprocess.Popen[str]:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    return holder


def is_free(path: Path) -> bool:
    try:
        with FileLock(path, timeout=0):
            return True
    except Timeout:
        return False


def test_who_wants_another_turn_at_once_stands_behind_who_was_waiting(tmp_path: Path) -> None:
    path, order, threads = tmp_path / "q.duckdb", ["first"], []

    def turn(name: str) -> None:
        with holding(path, wait_s=20, command=name):
            order.append(name)

    with holding(path, wait_s=5, command="first"):
        for name in ("waits", "waits too"):
            threads.append(threading.Thread(target=turn, args=(name,)))
            threads[-1].start()
        while is_free(path.with_suffix(".next")):
            pass  # until one of them stands in the turnstile
    turn("first again")
    for thread in threads:
        thread.join()
    assert order[0] == "first"
    assert order[1] != "first again"
    assert sorted(order) == ["first", "first again", "waits", "waits too"]


def test_a_holder_that_died_is_taken_over_at_once(tmp_path: Path) -> None:
    path = tmp_path / "q.duckdb"
    with held_by_another(path) as holder:
        holder.kill()
        holder.wait()
        with holding(path, wait_s=1, command="next"):
            note = read_holder(path)
            assert note is not None
            assert note.command == "next"


def test_a_waiter_says_whom_it_waits_for_and_since_when(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "FIRST_WORD_S", 0.05)
    monkeypatch.setattr(lock, "NEXT_WORD_S", 0.05)
    monkeypatch.setattr(lock, "SLICE_S", 0.05)
    path = tmp_path / "q.duckdb"
    with held_by_another(path) as holder:
        note = read_holder(path)
        assert note is not None
        with (
            caplog.at_level(logging.WARNING),
            pytest.raises(StoreBusyError, match=rf"{holder.pid} \(the other run\) since .*waited 0\.3 s"),
            holding(path, wait_s=0.3, command="waits"),
        ):
            pass
        holder.communicate("\n")
    said = f"waiting for process {holder.pid} (the other run), which has it since {note.since:%H:%M:%S} UTC"
    assert len(caplog.messages) > 1
    assert all(said in message for message in caplog.messages)


def test_a_note_that_cannot_be_read_names_nobody(tmp_path: Path) -> None:
    path = tmp_path / "q.duckdb"
    with held_by_another(path) as holder:
        path.with_suffix(".holder.json").write_text('{"pid": 1')
        with pytest.raises(StoreBusyError, match="an unknown process"), holding(path, wait_s=0, command="waits"):
            pass
        holder.communicate("\n")


Mount = namedtuple("Mount", "mountpoint fstype")  # noqa: PYI024  (as psutil's own)


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "fuse.sshfs"])
def test_a_network_file_system_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    mounts = [Mount("/", "ext4"), Mount(str(tmp_path), kind)]
    monkeypatch.setattr(psutil, "disk_partitions", lambda *, all: mounts if all else [])  # noqa: A006
    data = tmp_path / "new" / "data"
    with pytest.raises(StoreError, match=rf"network file system \({kind}, mounted at {tmp_path}\).*--data"):
        with holding(data / "q.duckdb", wait_s=0, command="x"):
            pass
    assert not data.exists()


def test_a_local_disk_below_a_network_mount_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mounts = [Mount(str(tmp_path), "nfs"), Mount(str(tmp_path / "local"), "xfs"), Mount("/", "overlay")]
    monkeypatch.setattr(psutil, "disk_partitions", lambda *, all: mounts if all else [])  # noqa: A006
    refuse_network(tmp_path / "local" / "data")
    refuse_network(tmp_path.parent)
