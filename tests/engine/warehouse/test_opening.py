"""What an open finds after a crash, a fork, a lost file or a disk without room."""

import errno
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb
import pytest

from pipeline.errors import StoreDamagedError, StoreFullError
from pipeline.warehouse import Warehouse, opening
from pipeline.warehouse.session import read_high_water
from tests.engine.warehouse.conftest import NOW, names, write

DIES = """
import os, sys
from pathlib import Path
from pipeline.warehouse import Warehouse
from tests.engine.warehouse.conftest import NOW, site
with Warehouse(Path(sys.argv[1])).session() as session:
    for name in sys.argv[2:]:
        with session.transaction(stage="config", run_id="r", now=NOW) as transaction:
            transaction.insert("sites", [site(name)])
    os._exit(9)
"""


def dies_after(warehouse: Warehouse, *names: str) -> Path:
    """A process commits a row for each name and dies before it closes the file; the log it leaves."""
    command = [sys.executable, "-c", DIES, str(warehouse.path.parent), *names]
    assert subprocess.run(command, check=False).returncode == 9
    return warehouse.path.with_name(warehouse.path.name + ".wal")


def contents(folder: Path, pattern: str) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.glob(pattern)}


def test_what_a_dead_process_committed_is_there(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    assert dies_after(warehouse, "b", "c").exists()
    assert names(warehouse) == {"a", "b", "c"}
    assert write(warehouse, "d") == 4


def test_a_damaged_log_never_opens_with_fewer_rows(warehouse: Warehouse, tmp_path: Path) -> None:
    write(warehouse, "a")
    wal = dies_after(warehouse, "b", "c")
    whole, database, marks = wal.read_bytes(), warehouse.path.read_bytes(), 0
    places = [len(whole) * n // 24 for n in range(24)]
    for n, place in enumerate(places):
        other = Warehouse(tmp_path / str(n), wait_s=5)
        other.path.parent.mkdir()
        other.path.write_bytes(database)
        other.path.with_suffix(".hwm").write_text("3")
        other.path.with_name(wal.name).write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        try:
            assert names(other) == {"a", "b", "c"}
        except StoreDamagedError:
            marks += 1
    assert marks > len(places) / 2


def test_a_database_that_lost_commits_is_set_aside_as_it_is_and_never_used(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    wal = dies_after(warehouse, "b", "c")
    wal.write_bytes(wal.read_bytes()[:-40])  # a torn end, which DuckDB takes for the end
    before = contents(warehouse.path.parent, "quietdiff.duckdb*")
    with pytest.raises(StoreDamagedError, match=r"holds 2 commits but 3 were acknowledged.*set aside as .*restore"):
        names(warehouse)
    [folder] = (warehouse.path.parent / "damaged").iterdir()
    assert contents(folder, "*") == before
    assert not warehouse.path.exists()
    with pytest.raises(StoreDamagedError, match=r"is gone, though 3 commits were acknowledged"):
        names(warehouse)
    with pytest.raises(StoreDamagedError, match="is gone"):
        write(warehouse, "d")


def test_one_without_its_log_is_set_aside_too(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    dies_after(warehouse, "b").unlink()
    with pytest.raises(StoreDamagedError, match="holds 1 commits but 2 were acknowledged"):
        write(warehouse, "c")
    assert not warehouse.path.exists()


def test_the_files_moved_back_without_the_mark_go_on_with_what_is_left(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    dies_after(warehouse, "b").unlink()
    with pytest.raises(StoreDamagedError):
        names(warehouse)
    [folder] = (warehouse.path.parent / "damaged").iterdir()
    for file in folder.iterdir():
        file.rename(warehouse.path.parent / file.name)
    warehouse.path.with_suffix(".hwm").unlink()
    assert names(warehouse) == {"a"}


def test_a_file_that_is_no_database_is_left_alone_and_said_so(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    damaged = b"\0" * 64 + warehouse.path.read_bytes()[64:]
    warehouse.path.write_bytes(damaged)
    with pytest.raises(StoreDamagedError, match="quietdiff doctor"):
        names(warehouse)
    assert warehouse.path.read_bytes() == damaged


FORKS = """
import os, sys
from pathlib import Path
from pipeline.errors import StoreError
from pipeline.warehouse import Warehouse
from tests.engine.warehouse.conftest import NOW, names, write
warehouse = Warehouse(Path(sys.argv[1]), wait_s=5)
with warehouse.session() as session:
    if (child := os.fork()) == 0:
        try:
            session.rows("select_sites")
        except StoreError as error:
            print(error, flush=True)
        sys.exit(0)  # an ordinary end: everything is closed that can be
    assert os.waitpid(child, 0)[1] == 0
    if (child := os.fork()) == 0:
        try:
            names(warehouse)
        except StoreError as error:
            print(error, flush=True)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    print(len(session.rows("select_sites")), flush=True)
write(warehouse, "b")
if (child := os.fork()) == 0:  # nothing is open: the child is as good as any process
    write(warehouse, "c")
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
print(sorted(names(warehouse)), flush=True)
"""


def test_a_forked_child_never_touches_its_parents_database(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    command = [sys.executable, "-W", "ignore", "-c", FORKS, str(warehouse.path.parent)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    first, second, count, last = done.stdout.splitlines()
    assert "was forked while its parent had the database open" in first
    assert "spawn" in second
    assert (count, last) == ("1", "['a', 'b', 'c']")


FULL = """
import resource, signal, sys
from pathlib import Path
from pipeline.errors import StoreFullError
from pipeline.warehouse import Warehouse
from tests.engine.warehouse.conftest import names, site, NOW
warehouse = Warehouse(Path(sys.argv[1]), wait_s=5)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
room = warehouse.path.stat().st_size + 200_000
try:
    with warehouse.session() as session:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
        for n in range(50):
            with session.transaction(stage="config", run_id="r", now=NOW) as transaction:
                transaction.insert("sites", [site(f"{n}-{m}" + "x" * 300) for m in range(2_000)])
            print("acknowledged", n, flush=True)
except StoreFullError as error:
    print(error, flush=True)
"""


def test_without_room_the_commit_fails_and_what_was_acknowledged_stays(warehouse: Warehouse) -> None:
    write(warehouse, "a")
    command = [sys.executable, "-c", FULL, str(warehouse.path.parent)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
    *acknowledged, last = done.stdout.splitlines()
    assert "no room to write (File too large); everything acknowledged so far is safe" in last
    assert read_high_water(warehouse.path) == 1 + len(acknowledged)
    assert len(names(warehouse)) >= 1 + 2_000 * len(acknowledged)
    assert len(names(warehouse)) % 2_000 == 1  # whole transactions only
    write(warehouse, "b")
    assert "b" in names(warehouse)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_duckdbs_word_for_a_full_disk_is_understood(tmp_path: Path, number: int) -> None:
    path = tmp_path / "q.duckdb"
    with pytest.raises(StoreFullError, match="Make room and run again"), opening.store_faults(path):
        raise duckdb.IOException(f'Could not write file "{path}": {os.strerror(number)}')


READ_ONLY = """
import os, sys
from pathlib import Path
from pipeline.errors import QuietdiffError
from pipeline.warehouse import Warehouse
from tests.engine.warehouse.conftest import names
if os.getuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)  # rights do not hold for root
try:
    names(Warehouse(Path(sys.argv[1]), wait_s=5))
except QuietdiffError as error:
    print(error)
print(Warehouse(Path(sys.argv[1])).published.query("SELECT site FROM sites").to_pylist())
"""


@pytest.mark.parametrize("closed", ["folder", "file"])
def test_a_place_that_may_not_be_written_is_named_and_its_copy_can_be_read(warehouse: Warehouse, closed: str) -> None:
    write(warehouse, "a")
    warehouse.publish(NOW, force=True)
    folder = warehouse.path.parent
    for above in (folder, *folder.parents):
        if Path(tempfile.gettempdir()) in above.parents:  # pytest keeps its folders to itself
            above.chmod(0o755)
    for file in (each for each in folder.rglob("*") if each.is_file()):
        file.chmod(0o444 if closed == "file" or file != warehouse.path else 0o666)
    folder.chmod(0o555 if closed == "folder" else 0o777)
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(folder)], check=True, capture_output=True, text=True, timeout=60
    )
    assert "cannot be written (Permission denied); give this user the right to" in done.stdout
    assert "[{'site': 'a'}]" in done.stdout


def test_a_high_water_file_without_a_number_is_said_with_what_to_do(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    with warehouse.session():
        pass
    warehouse.path.with_suffix(".hwm").write_text("twelve")
    with pytest.raises(StoreDamagedError, match="holds no number"), warehouse.session():
        pass
