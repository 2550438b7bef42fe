"""What a command says of an error of the system: which file or server, what is wrong, the way out."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from pathlib import Path

import aiohttp
import pytest
import typer

from catenary_cli import running
from catenary_cli.error_sentences import sentence_of
from catenary_edge.http.origin import tls_context
from catenary_edge.settings import EdgeSettings


def _error_of(action: Callable[[], object]) -> OSError:
    with pytest.raises(OSError) as raised:
        action()
    return raised.value


def test_an_error_with_a_file_names_the_file_the_problem_and_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for action, path, text in (
        (lambda: (tmp_path / "no" / "x.glb").open("wb"), "no/x.glb", "there is no such file or folder; check the path"),
        (lambda: tmp_path.open("wb"), "", "it is a folder; give a file"),
        (lambda: (tmp_path / "file" / "x").open("wb"), "file/x", "a part of the path is a file, not a folder"),
    ):
        told = sentence_of(_error_of(action))
        assert told.startswith(f"{tmp_path / path}: {text}")
        assert "Errno" not in told


def test_an_error_without_a_file_is_told_without_its_number() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        with socket.socket() as other:
            told = sentence_of(_error_of(lambda: other.bind(listening.getsockname())))
    assert told == "Address already in use"


async def test_a_server_that_does_not_answer_is_named_with_the_way_out() -> None:
    with socket.socket() as unused:
        # Bound and never listened on: nobody else gets the port meanwhile.
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        async with aiohttp.ClientSession() as session:
            with pytest.raises(aiohttp.ClientConnectorError) as raised:
                await session.get(f"http://127.0.0.1:{port}/")
    expected = f"Nothing answers at 127.0.0.1:{port}; check the address, and that a server runs there."
    assert sentence_of(raised.value) == expected


def test_a_command_ends_with_the_sentence_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async def command() -> None:
        os.scandir(tmp_path / "missing")

    with pytest.raises(typer.Exit) as ended:
        running.run(command())
    assert ended.value.exit_code == 1
    told = capsys.readouterr()
    assert "there is no such file or folder; check the path" in " ".join(told.err.split())
    assert "Errno" not in told.err + told.out


@pytest.mark.parametrize("content", [None, "not a certificate"])
def test_a_certificate_that_cannot_be_used_is_told_without_the_librarys_words(
    tmp_path: Path, content: str | None
) -> None:
    files = [tmp_path / "cert.pem", tmp_path / "key.pem"]
    for file in files:
        if content is not None:
            file.write_text(content)
    with pytest.raises(ValueError, match="give a certificate chain and its key as PEM files") as refused:
        tls_context(EdgeSettings(tls_cert=files[0], tls_key=files[1]))
    assert not re.search("Errno|SSL", str(refused.value))
