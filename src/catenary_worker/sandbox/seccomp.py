"""The system calls that a model's process may make: an allow-list; any other call fails with EPERM.

The list holds the calls that CPython, numpy and ordinary files in the working folder need. Left out on purpose:
sockets, processes (`clone` without CLONE_THREAD, `execve`), signals to others, mounts, tracing, keys, io_uring, shared
memory, and memfd_create, whose pages none of our limits counts.

All models see the same files of the runtime, so none may tell another anything by a lock on them: there is no flock,
and no query of record locks. To set a record lock stays possible, as sqlite3 does in the working folder: a file that is
open for reading takes shared locks only, and those of two models do not meet.
"""

import errno
import fcntl
import tempfile

FILES = """
read write readv writev pread64 pwrite64 preadv pwritev preadv2 pwritev2 lseek open openat close close_range dup dup2
dup3 fsync fdatasync ftruncate truncate stat fstat lstat newfstatat statx access faccessat faccessat2 readlink
readlinkat getdents getdents64 getcwd chdir fchdir mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link
linkat symlink symlinkat chmod fchmod fchmodat utime utimes utimensat umask statfs fstatfs fallocate fadvise64
copy_file_range sendfile pipe pipe2 poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait
epoll_pwait eventfd2
"""
MEMORY = "mmap munmap mprotect mremap madvise brk msync mincore membarrier"
THREADS = """
futex set_robust_list get_robust_list rseq set_tid_address arch_prctl sched_yield sched_getaffinity
sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min gettid tgkill exit exit_group
"""
PROCESS = """
getpid getppid getpgid getpgrp getsid getuid geteuid getgid getegid getresuid getresgid getgroups capget uname sysinfo
getrusage times getrlimit setrlimit prlimit64 wait4 waitid getpriority
"""
TIME = """
clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time getitimer setitimer alarm timer_create
timer_settime timer_gettime timer_delete timerfd_create timerfd_settime timerfd_gettime pause
"""
OTHER = """
getrandom getcpu rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
restart_syscall
"""
PROGRAM = "execve vfork kill"
"""The additional calls of the OpenSCAD program."""

_CLONE_THREAD = 0x10000
_PR_SET_NAME = 15
_OF_DESCRIPTORS = (
    fcntl.F_DUPFD, fcntl.F_DUPFD_CLOEXEC, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL, fcntl.F_SETLK,
    fcntl.F_SETLKW,
)  # fmt: skip
_TERMINAL_QUERIES = (0x5401, 0x5450, 0x5451, 0x541B, 0x5421)  # TCGETS, FIONCLEX, FIOCLEX, FIONREAD, FIONBIO


def programs() -> dict[str, bytes]:
    """Compile the filters by name: `model`, and `program` for an executed OpenSCAD."""
    return {"model": _compile(""), "program": _compile(PROGRAM)}


def _compile(more: str) -> bytes:
    import pyseccomp

    calls = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    for name in " ".join([FILES, MEMORY, THREADS, PROCESS, TIME, OTHER, more]).split():
        try:
            number = pyseccomp.resolve_syscall(pyseccomp.system_arch(), name)
        except (ValueError, OSError, RuntimeError):
            continue  # a call that this architecture does not have
        if number >= 0:
            calls.add_rule(pyseccomp.ALLOW, name)
    thread = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, _CLONE_THREAD, _CLONE_THREAD)
    calls.add_rule(pyseccomp.ALLOW, "clone", thread)
    # glibc falls back to clone, whose flags a filter can read, only on ENOSYS.
    calls.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    calls.add_rule(pyseccomp.ALLOW, "prctl", pyseccomp.Arg(0, pyseccomp.EQ, _PR_SET_NAME))
    for command in _OF_DESCRIPTORS:
        calls.add_rule(pyseccomp.ALLOW, "fcntl", pyseccomp.Arg(1, pyseccomp.EQ, command))
    for request in _TERMINAL_QUERIES:
        calls.add_rule(pyseccomp.ALLOW, "ioctl", pyseccomp.Arg(1, pyseccomp.EQ, request))
    with tempfile.TemporaryFile() as file:
        calls.export_bpf(file)
        file.seek(0)
        return file.read()
