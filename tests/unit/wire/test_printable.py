"""Texts of strangers that terminals and JSON may be given."""

import json
import sys

from catenary_wire.printable import escape_controls, escape_controls_in_json

DANGEROUS = "\x00\x07\x08\x0d\x1b\x7f\x85\x9b\u061c\u200e\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\ud800"


def test_each_character_that_controls_a_terminal_becomes_a_visible_escape() -> None:
    for character in DANGEROUS:
        escaped = escape_controls(f"a{character}b")
        assert escaped == f"a{character!a}b".replace("'", "").replace("\\r", "\\x0d"), character
        assert escaped.isprintable()


def test_every_other_character_stays_with_newline_and_tab() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if escape_controls(character) == character:
            assert character.isprintable() or character in "\n\t" or code >= 0xA0, hex(code)
    text = "Länge\t3 m²\n梁 🏗 \\x1b e\u0301"
    assert escape_controls(text) == text


def test_escapes_in_json_are_read_back_as_the_characters() -> None:
    text = json.dumps({"name": DANGEROUS[:-1]}, ensure_ascii=False, indent=1)
    escaped = escape_controls_in_json(text)
    assert json.loads(escaped) == json.loads(text)
    assert escaped.replace("\n", "").isprintable()
