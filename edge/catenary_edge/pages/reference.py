"""`/docs`: the interactive reference, of the Studio's bundle; where none is built, a list of the documents.

The page is a frame: the element `catenary-reference` fills it, whose sources are in `studio/src/reference/`.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from catenary_edge.pages import markup
from catenary_edge.studio import files

# Beside what pages of the site may do, Swagger UI needs pictures in its styles and of answers, and rules of Trusted Types.
# `default` makes markup of what DOMPurify has cleaned, `dompurify` is how it reads a text; Swagger UI brings a copy of its own.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
    "trusted-types lit-html default dompurify 'allow-duplicates'"
)
"""Content-Security-Policy of the page."""
_NAME = "reference-"
_SCRIPT, _STYLE = ".js", ".css"


def page(documents: Iterable[tuple[str, str]]) -> bytes:
    """Build the page.

    Args:
        documents: Title and path of each OpenAPI document.
    """
    items = "".join(f'<li><a href="{path}">{escape(title)}</a></li>' for title, path in documents)
    listed = f"<ul>{items}</ul>"
    script, style = _built(_SCRIPT), _built(_STYLE)
    if not script or not style:
        return markup.page("Reference", f"<h1>Reference</h1>{_UNBUILT}{listed}")
    head = f'<link rel="stylesheet" href="{style}"><script type="module" src="{script}"></script>'
    without = "<p>The reference is made by a script, from these OpenAPI documents.</p>"
    body = f"<catenary-reference></catenary-reference><noscript>{without}{listed}</noscript>"
    return markup.page("Reference", body, head=head)


def _built(ending: str) -> str:
    """Return the path of the file of the bundle with this ending; empty where none is built."""
    found = (name for name in files.names() if name.startswith(_NAME) and name.endswith(ending))
    return next((f"{files.PATH}/{name}" for name in found), "")


_UNBUILT = markup.prose(
    "These OpenAPI documents describe the API. Whoever runs the server gets the interactive reference by `catenary studio build`"
    " and another start."
)
