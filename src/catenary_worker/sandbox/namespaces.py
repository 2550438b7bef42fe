"""The Linux sandbox of an evaluation, in two steps.

`enter_root` moves the zygote, once, into a read-only root that holds only the runtime. `fork_cell` and `enter_cell`
then give each child pid and mount namespaces of its own, a fresh small tmpfs as its working folder, and no privilege.
Then come resource limits, and the system call filter by `filter_calls`.

The net, ipc and uts namespaces are the zygote's, shared with its children, and empty. Children cannot meet in them,
since the filter lets none of them make a socket, a queue, a semaphore or shared memory, or name the host. One of each
for every child took 1 ms and more of an evaluation.

As root no user namespace is needed, and the child gets a uid that nothing else has; otherwise the zygote lives in a
user namespace of its own. Needs Linux 5.12 (mount_setattr with AT_RECURSIVE).
"""

import contextlib
import ctypes
import itertools
import os
import resource
import signal
import stat
import struct
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from catenary_worker.task import MEBIBYTE

CELL = "/model"
"""The child's working folder."""
CELL_BYTES = 128 * MEBIBYTE
CELL_FILES = 4_096
OPEN_FILES = 256
THREADS = 64
HOST_NAME = b"model"
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")

_LIBC = ctypes.CDLL(None, use_errno=True)
_PYTHON = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock during a call
_PYTHON.syscall.restype = ctypes.c_long
_AT_FDCWD, _AT_EMPTY_PATH, _AT_RECURSIVE = -100, 0x1000, 0x8000
_OPEN_TREE, _MOVE_MOUNT, _MOUNT_SETATTR = 428, 429, 442  # the same on every architecture
_MS_NOSUID, _MS_NODEV, _MS_NOEXEC, _MS_REC, _MS_PRIVATE = 2, 4, 8, 0x4000, 1 << 18
_MNT_DETACH = 2
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV, _ATTR_NOEXEC = 1, 2, 4, 8
_NEWNS, _NEWUTS, _NEWIPC, _NEWUSER = 0x20000, 0x4000000, 0x8000000, 0x10000000
_NEWPID, _NEWNET = 0x20000000, 0x40000000
_CAP_SYS_ADMIN = 21
_PR_SET_PDEATHSIG, _PR_SET_SECCOMP, _PR_CAPBSET_DROP, _PR_SET_NO_NEW_PRIVS = 1, 22, 24, 38
_PR_SET_CHILD_SUBREAPER = 36
_SECCOMP_MODE_FILTER = 2
_FIRST_UID, _UIDS = 61_184, 4_336
"""systemd's range of dynamic users, which are never given to a person or an installed service."""


def _call(name: str, *arguments: object) -> int:
    result: int = getattr(_LIBC, name)(*arguments)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def _syscall(name: str, number: int, *arguments: object) -> int:
    result: int = _PYTHON.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{name}: {os.strerror(code)}")
    return result


def _mount(kind: bytes | None, target: str, flags: int, options: str = "") -> None:
    _call("mount", kind, os.fsencode(target), kind, ctypes.c_ulong(flags), options.encode() or None)


def die_with_parent() -> None:
    """Have the kernel SIGKILL this process when its parent ends.

    A change of uid clears the setting, so call this again after one.
    """
    _call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Make this process the parent of its descendants whose own parent ends, so that they can be reaped."""
    _call("prctl", _PR_SET_CHILD_SUBREAPER, 1)


def is_privileged() -> bool:
    """Return whether this process may make namespaces without a user namespace (CAP_SYS_ADMIN, as root has)."""
    status = Path("/proc/self/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("CapEff:"))
    return bool(int(line.split()[1], 16) >> _CAP_SYS_ADMIN & 1) and os.geteuid() == 0


@dataclass(frozen=True)
class SandboxUser:
    """The user that a child runs as."""

    uid: int | None
    """A uid, and equal gid, of its own; None in a user namespace."""


def enter_root(paths: Sequence[str], covered: Sequence[str], inside: Sequence[str]) -> SandboxUser:
    """Move this process into a new read-only root without a network; return the user of its children.

    The root also has the four harmless devices and an empty mount point for the cell.

    Args:
        paths: Files and folders that appear as they are.
        covered: Folders in them that an empty folder hides.
        inside: Files and folders that appear again in the hidden ones.

    Raises:
        OSError: The system forbids a step.
    """
    privileged = is_privileged()
    uid, gid = os.geteuid(), os.getegid()
    mask = os.umask(0o022)  # the child's user passes through the folders that this makes
    _call("unshare", _NEWNS | _NEWNET | _NEWIPC | _NEWUTS | (0 if privileged else _NEWUSER))
    if not privileged:
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    _call("sethostname", HOST_NAME, len(HOST_NAME))
    _mount(None, "/", _MS_REC | _MS_PRIVATE)
    # Clone the trees before the tmpfs hides the folder in which some of them may lie.
    trees = {path: _clone(path) for path in [*paths, *inside, *DEVICES]}
    base = tempfile.gettempdir()
    _mount(b"tmpfs", base, _MS_NOSUID | _MS_NODEV, "size=1m,mode=755")
    for path in paths:
        _attach(trees[path], path, base)
    for folder in covered:
        if (target := Path(base + folder)).is_dir():
            _mount(b"tmpfs", str(target), _MS_NOSUID | _MS_NODEV, "size=1m,mode=755")
    for path in inside:
        _attach(trees[path], path, base)
    for link in ("/bin", "/lib", "/lib64"):
        if Path(link).is_symlink() and not Path(base + link).exists():
            Path(base + link).symlink_to(Path(link).readlink())
    Path(base + CELL).mkdir()
    Path(base + "/dev").mkdir()
    _restrict(base, _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV, _AT_RECURSIVE)
    _mount(b"tmpfs", base + "/dev", _MS_NOSUID | _MS_NOEXEC, "size=64k,mode=755")
    for device in DEVICES:
        _attach(trees[device], device, base)
    _restrict(base + "/dev", _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NOEXEC)
    os.chdir(base)
    _call("pivot_root", b".", b".")  # pivot_root(2), NOTES: "." over "." needs no folder for the old root
    _call("umount2", b".", _MNT_DETACH)
    os.chdir("/")
    os.umask(mask)
    if not privileged:
        return SandboxUser(None)
    # One per zygote: the kernel counts the thread limit per uid, and two workers must not share it.
    return SandboxUser(_FIRST_UID + os.getpid() % _UIDS)


def _clone(path: str) -> int:
    flags = 1 | os.O_CLOEXEC | _AT_RECURSIVE  # OPEN_TREE_CLONE
    return _syscall("open_tree", _OPEN_TREE, _AT_FDCWD, os.fsencode(path), ctypes.c_uint(flags))


def _attach(tree: int, path: str, base: str) -> None:
    target = Path(base + path)
    if not target.exists():
        if stat.S_ISDIR(os.fstat(tree).st_mode):  # the path itself may be hidden by now
            target.mkdir(parents=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.touch()
    _syscall("move_mount", _MOVE_MOUNT, tree, b"", _AT_FDCWD, os.fsencode(target), ctypes.c_uint(4))
    os.close(tree)


def _restrict(path: str, attributes: int, flags: int = 0) -> None:
    wanted = struct.pack("QQQQ", attributes, 0, 0, 0)
    _syscall("mount_setattr", _MOUNT_SETATTR, _AT_FDCWD, os.fsencode(path), ctypes.c_uint(flags), wanted, len(wanted))


def fork_cell() -> int:
    """Fork like `os.fork`; the child is pid 1 in pid and mount namespaces of its own.

    One clone(2) replaces unshare and two forks, each of which costs 5 ms with the runtime loaded, and as much to end.
    Only for a process with a single thread.

    Raises:
        OSError: The system forbids the clone.
    """
    _PYTHON.PyOS_BeforeFork()
    flags = _NEWNS | _NEWPID | signal.SIGCHLD
    number = {"x86_64": 56, "aarch64": 220}[os.uname().machine]
    pid: int = _PYTHON.syscall(ctypes.c_long(number), ctypes.c_ulong(flags), None, None, None, None)
    if pid == 0:
        _PYTHON.PyOS_AfterFork_Child()
        return 0
    code = ctypes.get_errno()
    _PYTHON.PyOS_AfterFork_Parent()
    if pid < 0:
        raise OSError(code, f"clone: {os.strerror(code)}")
    return pid


@contextlib.contextmanager
def writable_cell() -> Iterator[str]:
    """Give the root a folder to write in while the block runs; it then is the empty mount point again."""
    _mount(b"tmpfs", CELL, _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, f"size={CELL_BYTES},nr_inodes={CELL_FILES},mode=700")
    try:
        yield CELL
    finally:
        _call("umount2", CELL.encode(), _MNT_DETACH)  # at once, also where a library holds a file open


def enter_cell(identity: SandboxUser) -> None:
    """Mount the working folder, then drop every privilege for good."""
    owner = "" if identity.uid is None else f",uid={identity.uid},gid={identity.uid}"
    options = f"size={CELL_BYTES},nr_inodes={CELL_FILES},mode=700{owner}"
    _mount(b"tmpfs", CELL, _MS_NOSUID | _MS_NODEV | _MS_NOEXEC, options)
    os.chdir(CELL)
    for capability in range(64):
        with contextlib.suppress(OSError):  # EINVAL past the last one
            _call("prctl", _PR_CAPBSET_DROP, capability, 0, 0, 0)
    if identity.uid is not None:
        os.setgroups([])
        os.setresgid(identity.uid, identity.uid, identity.uid)
        os.setresuid(identity.uid, identity.uid, identity.uid)
    header, nothing = struct.pack("Ii", 0x20080522, 0), bytes(24)  # _LINUX_CAPABILITY_VERSION_3
    _call("capset", header, nothing)
    die_with_parent()


def forbid_privileges() -> None:
    """Set no_new_privs: no program that this process executes can gain a privilege."""
    _call("prctl", _PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)


def limit() -> None:
    """Set the resource limits that are the same for every task."""
    _limit(
        {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: CELL_BYTES,
            resource.RLIMIT_NOFILE: OPEN_FILES,
            resource.RLIMIT_NPROC: THREADS,
            resource.RLIMIT_STACK: 8 * MEBIBYTE,
            resource.RLIMIT_MEMLOCK: 0,
            resource.RLIMIT_MSGQUEUE: 0,
        }
    )


def limit_task(memory: int, seconds: float) -> None:
    """Set the resource limits of one task.

    Args:
        memory: Bytes of address space.
        seconds: Wall-clock limit of the task; processor time is limited well above it.
    """
    _limit({resource.RLIMIT_AS: memory, resource.RLIMIT_CPU: int(seconds) * 4 + 10})


def _limit(hard: Mapping[int, int]) -> None:
    for kind, value in hard.items():
        _, ceiling = resource.getrlimit(kind)
        allowed = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
        resource.setrlimit(kind, (allowed, allowed))


def filter_calls(program: bytes) -> None:
    """Install a seccomp program (see `seccomp.programs`); `forbid_privileges` must come before."""
    buffer = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))  # struct sock_fprog
    _call("prctl", _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, head, 0, 0)


def close_files(keep: Sequence[int]) -> None:
    """Point 0, 1 and 2 at /dev/null; close every other descriptor except `keep`, which are over 2."""
    null = os.open("/dev/null", os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    close_others(keep)


def close_others(keep: Sequence[int]) -> None:
    """Close every descriptor over 2 except `keep`."""
    edges = [2, *sorted(keep), os.sysconf("SC_OPEN_MAX")]
    for low, high in itertools.pairwise(edges):
        os.closerange(low + 1, high)


def platform_fault() -> str | None:
    """Return why this system cannot hold a sandbox at all, or None."""
    if sys.platform != "linux":
        return "the sandbox needs Linux"
    try:
        import pyseccomp  # noqa: F401 - fails without the libseccomp2 library
    except (ImportError, OSError, RuntimeError):
        return "the library libseccomp2 is not installed"
    return None
