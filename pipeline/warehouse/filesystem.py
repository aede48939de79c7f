"""Which file systems a database may lie on."""

from functools import cache
from pathlib import Path

import psutil

from pipeline.errors import StoreError

__all__ = ["refuse_network"]

NETWORK = frozenset(
    {"9p", "afs", "beegfs", "ceph", "cifs", "fuse.sshfs", "fuse.glusterfs", "fuse.s3fs", "fuse.rclone", "gfs2", "gpfs"}
    | {"glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "smb2", "smb3", "smbfs", "vboxsf"}
)
"""Kinds of file systems several machines can have mounted at once. Whether a lock of one holds on the other depends on
versions and mount options, and DuckDB's own lock is the same system call.

Overlay, of which containers are made, is not among them: a lock holds in the one container that has the upper folder.
"""


@cache
def refuse_network(folder: Path) -> None:
    """Refuse a folder on a network file system.

    Raises:
        StoreError: It is on one.
    """
    kind, mount = _file_system(folder)
    if kind in NETWORK:
        raise StoreError(
            f"{folder}: on a network file system ({kind}, mounted at {mount}), where locks cannot be relied upon; "
            "keep the data folder on a local disk: --data DIR or QUIETDIFF_DATA"
        )


def _file_system(folder: Path) -> tuple[str, str]:
    """Its kind and where it is mounted; ("", "") when the machine does not tell."""
    place = folder.resolve()
    mounts = {Path(part.mountpoint): part.fstype for part in psutil.disk_partitions(all=True)}
    for above in (place, *place.parents):
        if above in mounts:
            return mounts[above], str(above)
    return "", ""
