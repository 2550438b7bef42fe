"""Certificates for tests, made for one hour."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID


@dataclass(frozen=True)
class TlsFiles:
    """A CA, and a certificate of it."""

    ca: Path
    cert: Path
    key: Path


def make_tls(
    folder: Path,
    names: Sequence[str] = ("localhost", "127.0.0.1"),
    until: datetime.timedelta = datetime.timedelta(hours=1),
) -> TlsFiles:
    """Make a CA and a certificate for host names and addresses.

    Both are valid from a day ago for the given time from now.
    """
    now = datetime.datetime.now(datetime.UTC)

    def name(text: str) -> x509.Name:
        return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])

    def certificate(subject: str, public: ec.EllipticCurvePublicKey, ca: bool) -> x509.Certificate:
        alternatives = [_alternative(one) for one in names]
        builder = (
            x509.CertificateBuilder()
            .subject_name(name(subject))
            .issuer_name(name("Test CA"))
            .public_key(public)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=1))
            .not_valid_after(now + until)
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


def _alternative(name: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        return x509.DNSName(name)


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
