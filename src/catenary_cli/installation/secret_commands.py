"""The commands that change the secret of an installation while its nodes run."""

from __future__ import annotations

import sys
from pathlib import Path

from catenary_cli import show
from catenary_cli.installation import secret_files
from catenary_cli.installation.prepared import Prepared, check_is_there, open_database, prepare
from catenary_core.keyring import rotation
from catenary_core.keyring.rotation import RotationError
from catenary_core.secrets import SecretLock, random_secret, secret_text
from catenary_core.settings import CoreSettings

_STATES = {"current": "current", "new": "new", "ended": "retired"}


async def rotate(settings: CoreSettings, new_file: Path | None) -> None:
    """Begin a rotation with a made secret or that of a file; both secrets are valid until one is retired.

    Raises:
        ValueError: No rotation can begin now, or the new secret can't be shown.
    """
    check_is_there(settings)
    is_kept = settings.secret_key is None
    if not is_kept and new_file is None and not sys.stdout.isatty():
        raise ValueError(
            "the new secret is shown once, at a terminal only; run the command at one, or write a secret into a file"
            " (`openssl rand -base64 32`) and give it with --new-file"
        )
    given = None if new_file is None else secret_files.read_given(new_file)
    new = given or random_secret()
    async with prepare(settings) as ready, open_database(ready.dsn) as database:
        if is_kept and (waiting := secret_files.coming(ready.data_dir)) is not None:
            # A rotation that was interrupted between the database and the file is finished.
            begun = (await rotation.standing(database)).of_state("new")
            if begun is not None and begun["name"] == SecretLock(waiting).name and given in (None, waiting):
                secret_files.put_in_place(ready.data_dir)
                _show_begun(ready, waiting, is_kept=True, is_made=False)
                return
        async with rotation.begun(database, ready.secret, new):
            if is_kept:
                secret_files.write_coming(ready.data_dir, new)
        if is_kept:
            secret_files.put_in_place(ready.data_dir)
        _show_begun(ready, new, is_kept=is_kept, is_made=new_file is None)


async def retire(settings: CoreSettings) -> None:
    """End the old secret of a rotation and encrypt anew.

    Raises:
        ValueError: No rotation is under way, or a node still runs with the old secret.
    """
    check_is_there(settings)
    # Imported only here: it takes a second.
    from catenary_core.bootstrap import RENEWALS, SEALED

    with show.progress("Ending the old secret and encrypting anew"):
        async with prepare(settings) as ready, open_database(ready.dsn) as database:
            await rotation.retired(database, ready.secret, SEALED, RENEWALS)
    if settings.secret_key is None:
        secret_files.remove_former(ready.data_dir)
    show.line(
        "The old secret is retired: nothing starts with it, and it opens nothing that the database holds from now on."
    )


async def cancel(settings: CoreSettings) -> None:
    """Take a rotation back: the new secret ends, the old one stays.

    Raises:
        ValueError: No rotation is under way, or a node runs with the new secret.
    """
    check_is_there(settings)
    async with prepare(settings) as ready, open_database(ready.dsn) as database:
        own = SecretLock(ready.secret).name
        is_kept = settings.secret_key is None
        current = (await rotation.standing(database)).of_state("current")
        kept = secret_files.former(ready.data_dir) if is_kept else None
        is_new = current is not None and current["name"] != own
        if is_kept and is_new and (kept is None or current is None or SecretLock(kept).name != current["name"]):
            raise RotationError(
                "the old secret is not in the data directory any more; give it in CATENARY_SECRET_KEY to take the rotation back"
            )
        # The file first: with the old secret in it, an interrupted command can be repeated.
        async with rotation.taken_back(database):
            if is_kept and is_new:
                secret_files.put_back(ready.data_dir)
        if is_kept:
            secret_files.remove_former(ready.data_dir)
    show.line("The rotation is taken back: the new secret has ended, the old one is valid alone.")
    if not is_kept and is_new:
        show.line("Put the old secret back into CATENARY_SECRET_KEY.")


async def status(settings: CoreSettings) -> None:
    """Print the secrets by their names, with the nodes that use each."""
    check_is_there(settings)
    async with prepare(settings) as ready, open_database(ready.dsn) as database:
        found = await rotation.standing(database)
        own = SecretLock(ready.secret).name
    shown = [
        (
            row["name"],
            "retirement unfinished" if row["unfinished"] else _STATES[row["state"]],
            row["created_at"],
            found.users_of(row["name"]) or None,
            "this command" if row["name"] == own else None,
        )
        for row in found.secrets
    ]
    show.rows(("Name", "State", "Since", "Nodes", "Used by"), shown, "There are no secrets.")


def _show_begun(ready: Prepared, new: bytes, *, is_kept: bool, is_made: bool) -> None:
    show.line("Both secrets are valid now. Start every node again with the new one, then run `catenary secret retire`.")
    if is_kept:
        show.line(f"The new secret is in {ready.data_dir / 'secret.key'}, which every start reads.")
    elif is_made:
        show.line("Set the new secret on every machine; it is not shown again:")
        show.pairs({"CATENARY_SECRET_KEY": secret_text(new)})
    else:
        show.line("Set CATENARY_SECRET_KEY to the secret of the file on every machine.")
