"""Parts of an installation that run apart, as processes, and the certificates that they may have."""

from __future__ import annotations

import datetime
import ipaddress
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from factories.installation import environment

START_SECONDS = 60.0


class Part:
    """A running `catenary COMMAND`; what it prints and what it logs are apart."""

    def __init__(self, folder: Path, name: str, *arguments: str, **variables: str) -> None:
        self.out, self.log = folder / f"{name}.out", folder / f"{name}.log"
        with self.out.open("wb") as out, self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "catenary_cli", *arguments],
                stdout=out,
                stderr=log,
                env={**environment(), "CATENARY_ADMIN_PORT": "0", **variables},
                start_new_session=True,
            )

    def wait_for(self, pattern: str, file: Path | None = None, seconds: float = START_SECONDS) -> re.Match[str]:
        """The first place where its output (or its log) matches."""
        deadline = time.monotonic() + seconds
        while True:
            text = (file or self.out).read_text(errors="replace")
            found = re.search(pattern, text)
            if found:
                return found
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.log.read_text()}"
            assert time.monotonic() < deadline, f"no {pattern!r} in {text!r}; log: {self.log.read_text()}"
            time.sleep(0.05)

    def lines(self) -> list[dict[str, Any]]:
        """Its log: every line must be a JSON object."""
        found = []
        for line in self.log.read_text().splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:
                raise AssertionError(f"not a JSON line: {line!r}") from None
        return found

    def stop(self, number: int = signal.SIGTERM, seconds: float = 40) -> int:
        """Its exit code after a signal."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(seconds)
        finally:
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)


@contextmanager
def running(folder: Path, name: str, *arguments: str, **variables: str) -> Iterator[Part]:
    """A part until the block ends, which must stop by SIGTERM with exit code 0."""
    part = Part(folder, name, *arguments, **variables)
    try:
        yield part
    finally:
        code = part.stop()
    assert code == 0, part.log.read_text()


@dataclass(frozen=True)
class TlsFiles:
    """A CA, and a certificate of it for localhost and 127.0.0.1."""

    ca: Path
    cert: Path
    key: Path


def make_tls(folder: Path) -> TlsFiles:
    """Makes them, valid for an hour."""
    now = datetime.datetime.now(datetime.UTC)

    def name(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    def certificate(subject: str, public: ec.EllipticCurvePublicKey, ca: bool) -> x509.Certificate:
        alternatives = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = (
            x509.CertificateBuilder()
            .subject_name(name(subject))
            .issuer_name(name("Test CA"))
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(minutes=5))
            .not_valid_after(now + datetime.timedelta(hours=1))
            .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(public), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()), critical=False)
        )
        if ca:
            usage = dict.fromkeys(_KEY_USAGES, False) | {"key_cert_sign": True, "crl_sign": True}
            builder = builder.add_extension(x509.KeyUsage(**usage), critical=True)
        else:
            builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        return builder.sign(ca_key, hashes.SHA256())

    ca_key, key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    files = TlsFiles(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    pem = serialization.Encoding.PEM
    files.ca.write_bytes(certificate("Test CA", ca_key.public_key(), True).public_bytes(pem))
    files.cert.write_bytes(certificate("localhost", key.public_key(), False).public_bytes(pem))
    files.key.write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return files


_KEY_USAGES = (
    "digital_signature",
    "content_commitment",
    "key_encipherment",
    "data_encipherment",
    "key_agreement",
    "key_cert_sign",
    "crl_sign",
    "encipher_only",
    "decipher_only",
)
