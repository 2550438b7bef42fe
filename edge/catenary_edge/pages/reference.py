"""`/docs`: the interactive reference.

The page is a frame; `static/reference.js` fills it from the OpenAPI documents.
"""

from __future__ import annotations

from catenary_edge.pages import markup

_FRAME = """\
<noscript><p>The reference is made by a script, from the documents that
<a href="/openapi.json">/openapi.json</a> lists.</p></noscript>
<div id="bar">
<label>Document <select id="document"></select></label>
<label>Credential <select id="kind">
<option value="token">Access token</option><option value="api_key">API key</option></select></label>
<label class="grow">Value <input id="credential" type="password" autocomplete="off" spellcheck="false"
placeholder="kept in this page alone"></label>
<label class="grow">Find <input id="find" type="search" placeholder="path or words"></label>
</div>
<details id="access"><summary>Sign in</summary><form id="sign-in">
<button type="button" id="demo" hidden>As the demo's guest</button>
<label>Client id <input id="client" required autocomplete="off" spellcheck="false"></label>
<label>Client secret <input id="secret" type="password" required autocomplete="off"></label>
<button type="submit">Get a token</button></form><p id="told" role="status"></p></details>
<section id="about"></section>
<div id="operations"></div>
<section id="elsewhere" aria-live="polite"></section>
"""


def page() -> bytes:
    """Build the page."""
    return markup.page("Reference", _FRAME, head='<script type="module" src="/docs/static/reference.js"></script>')
