"""The route table and the templates it is made of."""

from __future__ import annotations

import pytest
from google.api import annotations_pb2
from google.protobuf import descriptor_pb2, descriptor_pool

from catenary.options.v1 import options_pb2
from catenary_edge.surfaces.platform import Platform
from catenary_edge.transcoding import routes, services, template
from catenary_edge.transcoding.template import BindingError

TABLE = routes.build()


def test_every_binding_of_the_generated_services_is_a_route() -> None:
    bound = [rpc for rpc in services.load() if rpc.http is not None]
    assert len(TABLE.routes) == sum(1 + len(rpc.http.additional_bindings) for rpc in bound)
    assert {"/v1/projects", "/v1/auth/token", "/.well-known/jwks.json"} <= {one.template.text for one in TABLE.routes}


@pytest.mark.parametrize(
    ("method", "path", "rpc", "segments"),
    [
        ("GET", "/v1/projects", "ListProjects", ()),
        ("GET", "/v1/%70rojects", "ListProjects", ()),
        ("GET", "/v1/users/me", "GetMe", ()),
        ("PATCH", "/v1/users/me", "UpdateMe", ()),
        ("DELETE", "/v1/users/you", "DeleteUser", ("you",)),
        ("GET", "/v1/users/x", "GetUser", ("x",)),
        ("GET", "/v1/users/a%2Fb", "GetUser", ("a%2Fb",)),
        ("GET", "/v1/users/a%3Ab", "GetUser", ("a%3Ab",)),
        ("POST", "/v1/projects/p/models/m/versions", "UploadModelVersion", ("p", "m")),
    ],
)
def test_a_path_finds_its_method(method: str, path: str, rpc: str, segments: tuple[str, ...]) -> None:
    match = TABLE.match(method, path)
    assert match is not None
    assert match.route.rpc.path.endswith(f"/{rpc}")
    assert match.segments == segments


@pytest.mark.parametrize(
    "path",
    ["", "/", "//", "/v1", "/v1/", "/v1/projects/", "//v1/projects", "/v1/users/a/b/c", "/v1/users/a:b", "/v1/users/a:",
     "/v1/users//", "/v1/projects:", "/V1/projects", "/v1/../v1/projects", "*", "/v1/us%FFers", "/v2/projects",
     "/v0/projects", "/v1/users/%zz/x"],
)  # fmt: skip
def test_a_path_that_is_no_route_is_unknown(path: str) -> None:
    assert TABLE.match("GET", path) is None
    assert TABLE.methods(path) == []


def test_a_known_path_tells_its_methods() -> None:
    assert TABLE.match("PUT", "/v1/projects") is None
    assert TABLE.methods("/v1/projects") == ["GET", "HEAD", "OPTIONS", "POST"]
    assert TABLE.methods("/v1/auth/token") == ["OPTIONS", "POST"]


def test_a_literal_path_is_never_the_value_of_a_variable() -> None:
    assert TABLE.match("DELETE", "/v1/users/me") is None
    assert TABLE.methods("/v1/users/me") == ["GET", "HEAD", "OPTIONS", "PATCH"]


def test_a_route_carries_the_version_of_its_path() -> None:
    match = TABLE.match("GET", "/v1/projects")
    assert match is not None
    assert match.route.surface == Platform("v1")
    assert match.route.is_list
    assert not match.route.public


@pytest.mark.parametrize(
    ("text", "segments", "variables", "verb"),
    [
        ("/v1/a", ("v1", "a"), (), ""),
        ("/v1/{x}", ("v1", None), ("x",), ""),
        ("/v1/{x=*}/b", ("v1", None, "b"), ("x",), ""),
        ("/v1/{x}:stop", ("v1", None), ("x",), "stop"),
        ("/v1/a:stop", ("v1", "a"), (), "stop"),
    ],
)
def test_a_template_is_parsed(text: str, segments: tuple[str | None, ...], variables: tuple[str], verb: str) -> None:
    parsed = template.parse(text)
    assert (parsed.segments, parsed.variables, parsed.verb) == (segments, variables, verb)


@pytest.mark.parametrize(
    "text", ["", "/", "v1/a", "/v1/**", "/v1/*", "/v1/{x=**}", "/v1/{x=a/b}", "/v1/{x.y}", "/v1/a{x}", "/v1/{x}/{x}",
             "/v1//a", "/v1/a/", "/v1/{x}:", "/v1/{x}:a:b", "/v1/{x}{y}"]
)  # fmt: skip
def test_a_template_that_cannot_be_honoured_is_refused(text: str) -> None:
    with pytest.raises(BindingError, match=r"path"):
        template.parse(text)


def made(
    *rules: dict[str, str],
    privilege: int = options_pb2.PRIVILEGE_USER,
    success: int = 0,
    surface: int = options_pb2.SURFACE_PLATFORM,
    upload_types: tuple[str, ...] = (),
    streams: str = "",
    download: bool = False,
    header: str = "",
    header_type: int = 9,
    item_field: str = "",
    csv_at: str = "",
) -> list[services.Rpc]:
    """One service with a method a rule: request {id, many (repeated), part (message), chunk (bytes, for streams)}."""
    kind = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="made.proto", package="made", syntax="proto3")
    part = file.message_type.add(name="Part")
    part.field.add(name="text", number=1, type=kind.TYPE_STRING, label=kind.LABEL_OPTIONAL)
    request = file.message_type.add(name="Request")
    request.field.add(name="id", number=1, type=kind.TYPE_STRING, label=kind.LABEL_OPTIONAL)
    request.field.add(name="many", number=2, type=kind.TYPE_STRING, label=kind.LABEL_REPEATED)
    request.field.add(name="part", number=3, type=kind.TYPE_MESSAGE, label=kind.LABEL_OPTIONAL, type_name=".made.Part")
    if upload_types or streams:
        request.field.add(name="chunk", number=4, type=kind.TYPE_BYTES, label=kind.LABEL_OPTIONAL)
    if header:
        extra = request.field.add(name="extra", number=5, type=header_type, label=kind.LABEL_OPTIONAL)
        extra.options.Extensions[options_pb2.field].header = header
    answer = file.message_type.add(name="Answer")
    answer.field.add(name="id", number=1, type=kind.TYPE_STRING, label=kind.LABEL_OPTIONAL)
    service = file.service.add(name="MadeService")
    service.options.Extensions[options_pb2.service].surface = surface
    for index, rule in enumerate(rules):
        method = service.method.add(name=f"Call{index}", input_type=".made.Request", output_type=".made.Answer")
        method.client_streaming = "client" in streams
        method.server_streaming = "server" in streams
        options = method.options.Extensions[options_pb2.method]
        options.privilege, options.success, options.download = privilege, success, download
        options.item_field, options.csv_at = item_field, csv_at
        options.upload_types.extend(upload_types)
        http = method.options.Extensions[annotations_pb2.http]
        for name, value in rule.items():
            setattr(http, name, value)
    pool = descriptor_pool.DescriptorPool()
    default = descriptor_pool.Default()
    for name in ("google/protobuf/descriptor.proto",):
        pool.AddSerializedFile(default.FindFileByName(name).serialized_pb)
    pool.AddSerializedFile(file.SerializeToString())
    found = pool.FindServiceByName("made.MadeService")
    return [services.rpc(method) for method in found.methods]


GOOD = {"post": "/v1/things/{id}", "body": "part"}


def test_a_binding_that_can_be_honoured_starts() -> None:
    table = routes.build(made(GOOD, {"post": "/v1/things/{id}:look", "body": "part", "response_body": "id"}))
    assert table.match("POST", "/v1/things/a") is not None
    match = table.match("POST", "/v1/things/a:look")
    assert match is not None
    assert match.route.payload(match.route.plain(match.route.rpc.response(id="a")), lambda _, cursor: cursor) == "a"


@pytest.mark.parametrize(
    ("rpcs", "text"),
    [
        (lambda: made({"get": "/v1/x/{nothing}"}), "'nothing' is no field"),
        (lambda: made({"get": "/v1/x/{many}"}), "not a single scalar"),
        (lambda: made({"get": "/v1/x/{part}"}), "not a single scalar"),
        (lambda: made({"get": "/v1/x/{id}/{id}"}), "'id' twice"),
        (lambda: made({"get": "/v1/x"}), "part has no text form"),
        (lambda: made({"post": "/v1/x", "body": "nothing"}), "'nothing' doesn't exist"),
        (lambda: made({"post": "/v1/x/{id}", "body": "id"}), "'id' doesn't exist or has another source"),
        (lambda: made({"get": "/v1/x", "body": "*"}), "GET takes no body"),
        (lambda: made({**GOOD, "response_body": "nothing"}), "'nothing' doesn't exist"),
        (lambda: made(GOOD, privilege=0), "privilege is not set"),
        (lambda: made(GOOD, success=418), "418"),
        (lambda: made(GOOD, surface=options_pb2.SURFACE_QA), "not one of the service's surface"),
        (lambda: made(GOOD, GOOD), "clash"),
        (lambda: made(GOOD, {"post": "/v1/things/{id=*}", "body": "part"}), "clash"),
        (lambda: made({"patch": "/v1/**", "body": "*"}), "neither plain text nor one variable"),
        (lambda: made({"selector": "x"}), "needs one of get, post"),
        (lambda: made(GOOD, streams="client"), "upload_types go together"),
        (lambda: made(GOOD, upload_types=("text/plain",)), "upload_types go together"),
        (lambda: made(GOOD, streams="server"), "needs a repeated field"),
        (lambda: made(GOOD, download=True), "needs server streaming"),
        (lambda: made({"post": "/v1/x/{id}", "body": "many"}, item_field="many"), "item_field needs"),
        (lambda: made(GOOD, streams="server", download=True), "bytes chunk"),
        (lambda: made(GOOD, streams="client", upload_types=("text/plain",)), "not of type bytes"),
        (lambda: made({"post": "/v1/x/{id}", "body": "*"}, streams="client", upload_types=("a/b",)), "upload|JSON"),
        (lambda: made(GOOD, csv_at="/table.csv"), "csv_at is for a GET"),
        (lambda: made(GOOD, header="X-Extra", header_type=5), "no single string"),
    ],
)  # fmt: skip
def test_the_edge_refuses_to_start_on_a_binding_that_it_cannot_honour(rpcs: object, text: str) -> None:
    with pytest.raises(BindingError, match=text) as caught:
        routes.build(rpcs())  # type: ignore[operator]
    assert "/made.MadeService/Call" in str(caught.value)


def test_a_table_that_no_download_gives_is_refused_at_start() -> None:
    rpcs = [rpc for rpc in services.load() if not rpc.path.endswith("/DownloadPlan")]
    with pytest.raises(BindingError, match="/GetPlan: no download has the path of the option csv_at"):
        routes.build(rpcs)
