"""Error messages of commands for foreseen errors: the file or server, the fault, the way out."""

from __future__ import annotations

import errno
import re
from collections.abc import Sequence

_NUMBER = re.compile(r"\[Errno -?\d+\] ")
_WAYS_OUT = {
    errno.ENOENT: "there is no such file or folder; check the path, and make a missing folder first",
    errno.EACCES: "this user may not use it; change its permissions, or give another path",
    errno.EPERM: "this user may not use it; change its permissions, or give another path",
    errno.EISDIR: "it is a folder; give a file",
    errno.ENOTDIR: "a part of the path is a file, not a folder; give another path",
    errno.EROFS: "it is on a read-only disk; give another path",
    errno.ENOSPC: "the disk is full; free some space, or give another path",
}
"""The way out of an error of the system with a file, by its number."""


class ManyFaultsError(ValueError):
    """An error with a line for each fault."""

    def __init__(self, sentence: str, faults: Sequence[str]) -> None:
        super().__init__("\n".join([sentence, *faults]))
        self.sentence = sentence
        self.faults = faults


def sentence_of(error: Exception) -> str:
    """Return the sentence of a foreseen error; one of the system says what to do, without its number."""
    import aiohttp

    if isinstance(error, ManyFaultsError):
        return error.sentence
    if isinstance(error, (aiohttp.ClientConnectorCertificateError, aiohttp.ClientSSLError)):
        return f"{str(error).strip()}; if a CA of your own signed the certificate, name its file in SSL_CERT_FILE."
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"Nothing answers at {error.host}:{error.port}; check the address, and that a server runs there."
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {_WAYS_OUT.get(error.errno or 0, error.strerror)}."
    return _NUMBER.sub("", str(error).strip())
