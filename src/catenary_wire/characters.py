r"""The characters that texts may have: a name is one line, a comment has lines; neither controls a terminal.

One line takes no C0 or C1 controls, no line or paragraph separators, and none of the overrides, embeddings and isolates by
which a text changes the direction in which its neighbours are shown. Lines take line ends (`\n`, `\r\n`) and tabs too;
their marks of direction stay, since each ends with its line.
"""

from __future__ import annotations

import re

_IN_ONE_LINE = r"[^\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]"
_IN_LINES = r"([^\u0000-\u0008\u000b-\u001f\u007f-\u009f]|\r\n)"
ONE_LINE = f"^{_IN_ONE_LINE}*$"
"""Pattern of a text of one line, in ECMA-262 and Python alike."""
MULTILINE = f"^{_IN_LINES}*$"
"""Pattern of a text of lines, in ECMA-262 and Python alike."""
ONE_LINE_NOT_BLANK = rf"^{_IN_ONE_LINE}*[^\s\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]{_IN_ONE_LINE}*$"
"""Pattern of a text of one line that is not only white space."""
MULTILINE_NOT_BLANK = rf"^{_IN_LINES}*[^\s\u0000-\u001f\u007f-\u009f]{_IN_LINES}*$"
"""Pattern of a text of lines that is not only white space."""

_NOT_IN_ONE_LINE = re.compile(r"[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]")
_NOT_IN_LINES = re.compile(r"[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]|\r(?!\n)")


def refused_character(text: str, *, multiline: bool = False) -> str | None:
    """Return the code of the first character that the text may not have, such as `U+001B`; None if there is none."""
    if text.isprintable():  # none of them is printable
        return None
    found = (_NOT_IN_LINES if multiline else _NOT_IN_ONE_LINE).search(text)
    return f"U+{ord(found[0]):04X}" if found else None
