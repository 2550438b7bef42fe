"""The help of `catenary import`, with its table of columns."""

from __future__ import annotations

import textwrap

from catenary_core.services.parameter.imports import columns


def help_text() -> str:
    r"""Return the help of the command; `\b` keeps a paragraph's lines as they are."""
    width = max(len(column.name) for column in columns.COLUMNS) + 4
    table = []
    for column in columns.COLUMNS:
        marks = "".join(kind[0].upper() if kind in column.kinds else "-" for kind in columns.KINDS)
        head = f"{column.name.ljust(width - 2)}{marks}  "
        table.append(textwrap.fill(column.meaning, 76, initial_indent=head, subsequent_indent=" " * len(head)))
    lines = "\n".join(table)
    return f"""Import assets, parameters and entries from a CSV or JSON file.

All or nothing: if a row is wrong, every fault is listed with its line and field, and nothing is imported. Existing
rows are kept, or get their new value, so a changed file may be imported again.

\b
A CSV file has a header and rows of one kind, such as assets.csv:
  project,parent,name,asset_type
  2026-014,,Tower,Building
  2026-014,Tower,Storey 1,Storey
and parameters.csv:
  project,parents,parameter_type,value,unit,source
  2026-014,Tower/Storey 1,Storey height,4.2,m,Concept report

\b
  catenary import assets.csv --dry-run
  catenary import assets.csv
  catenary import parameters.csv

A JSON file holds lists under the names of the kinds, imported in this order:
{{"assets": [{{"project": "2026-014", …}}], "parameters": […], "entries": […]}}

\b
Columns of Assets, Parameters and Entries:
{lines}

The command works on the database, also while a server runs, or with --url through a server. It acts as a client, by
default the demo's, with that client's rights.
"""
