"""The data services have the routes of the specification's endpoint tables, and beyond them only the contract's additions."""

from __future__ import annotations

from catenary.options.v1 import options_pb2
from catenary_edge import routes

# Method, path, keys of the answer, privilege: one line for each row of the specification, section "Endpoints".
SPECIFIED = """
GET    /comments/v2/comments                                              comments             user
POST   /comments/v2/comments                                              comments             user
GET    /reference/v2/source_types                                         source_types         user
GET    /reference/v2/sources                                              sources              user
POST   /qa/v2/records                                                     records              user
GET    /environment/v2/projects                                           projects             user
GET    /environment/v2/ads/projects                                       projects             user
GET    /environment/v2/projects/{id}                                      project              user
PATCH  /environment/v2/projects/{id}                                      project              user
POST   /environment/v2/projects                                           project              user
GET    /environment/v2/countries                                          countries            user
GET    /environment/v2/regions                                            regions              user
GET    /parameter/v1/assets                                               assets,paging        user
POST   /parameter/v1/assets                                               assets               user
GET    /parameter/v1/assets/{asset_id}                                    asset                user
GET    /parameter/v1/assets/{asset_ids}/hierarchy                         hierarchies          user
GET    /parameter/v1/entries                                              entries              user
PUT    /parameter/v1/entries                                              entries              user
GET    /parameter/v1/entries/{entry_id}/revisions                         revisions            user
PATCH  /parameter/v1/revisions                                            revisions            user
GET    /parameter/v1/parameters                                           parameters,paging    user
POST   /parameter/v1/parameters                                           parameters           user
GET    /parameter/v1/parameters/{parameter_id}                            parameter            user
GET    /parameter/v1/asset_tree                                           asset_tree           user
GET    /parameter/v1/asset_type_tree                                      asset_type_tree      user
GET    /parameter/v1/asset_type_groups                                    asset_type_groups,paging user
GET    /parameter/v1/asset_types                                          asset_types,paging   user
GET    /parameter/v1/asset_types/{asset_type_id}/asset_sub_types          asset_sub_types,paging user
GET    /parameter/v1/parameter_types                                      parameter_types,paging user
GET    /parameter/v1/item_types                                           item_types,paging    user
GET    /parameter/v1/unit_types                                           unit_types,paging    user
POST   /parameter/v1/unit_types                                           unit_types           user
GET    /parameter/v1/unit_types/{unit_type_id}                            unit_type            user
GET    /parameter/v1/units                                                units,paging         user
POST   /parameter/v1/units                                                units                user
GET    /parameter/v1/unit_systems                                         unit_systems,paging  user
GET    /parameter/v1/parameter_set_categories                             parameter_set_categories user
GET    /parameter/v1/parameter_set_types                                  parameter_set_types  user
POST   /parameter/v1/parameter_set_types                                  parameter_set_type   user
DELETE /parameter/v1/parameter_set_types/{parameter_set_type_id}          parameter_set_type   user
POST   /parameter/v1/parameter_set_types/{parameter_set_type_id}/items    parameter_set_type   user
DELETE /parameter/v1/parameter_set_types/{parameter_set_type_id}/items/{item_type_id} parameter_set_type user
GET    /parameter/v1/parameter_sets                                       parameter_sets       user
GET    /parameter/v1/parameter_sets/{parameter_set_id}                    parameter_set        user
GET    /parameter/v1/parameter_sets/{parameter_set_id}/parameters         parameter_set_parameters user
GET    /metadata/v1/tags                                                  tags,paging          user
POST   /metadata/v1/tags                                                  tag                  user
GET    /metadata/v1/tags/{tag_id}                                         tag                  user
PATCH  /metadata/v1/tags/{tag_id}                                         tag                  admin
DELETE /metadata/v1/tags/{tag_id}                                         tag                  admin
GET    /metadata/v1/tags/{tag_id}/links                                   tag_links,paging     user
GET    /metadata/v1/tags/{tag_id}/links/{reference_id}                    tag_link             user
PATCH  /metadata/v1/tags/{tag_id}/links/{reference_id}                    tag_link             user
PUT    /metadata/v1/tag_links                                             tag_links            user
GET    /metadata/v1/tag_types                                             tag_types,paging     user
POST   /metadata/v1/tag_types                                             tag_type             admin
GET    /metadata/v1/tag_types/{tag_type_id}                               tag_type             user
PATCH  /metadata/v1/tag_types/{tag_type_id}                               tag_type             admin
DELETE /metadata/v1/tag_types/{tag_type_id}                               tag_type             admin
"""

# The same for each + of the contract, section 5.
ADDED = """
PATCH  /comments/v2/comments/{comment_id}                                 comment              user
DELETE /comments/v2/comments/{comment_id}                                 comment              user
POST   /reference/v2/source_types                                         source_type          admin
GET    /reference/v2/source_types/{source_type_id}                        source_type          user
PATCH  /reference/v2/source_types/{source_type_id}                        source_type          admin
DELETE /reference/v2/source_types/{source_type_id}                        source_type          admin
POST   /reference/v2/sources                                              source               user
GET    /reference/v2/sources/{source_id}                                  source               user
PATCH  /reference/v2/sources/{source_id}                                  source               user
DELETE /reference/v2/sources/{source_id}                                  source               user
GET    /qa/v2/records                                                     records              user
GET    /qa/v2/record_types                                                record_types         user
POST   /qa/v2/record_types                                                record_type          admin
DELETE /environment/v2/projects/{id}                                      project              admin
GET    /environment/v2/countries/{id}                                     country              user
POST   /environment/v2/countries                                          country              admin
PATCH  /environment/v2/countries/{id}                                     country              admin
GET    /environment/v2/regions/{id}                                       region               user
POST   /environment/v2/regions                                            region               admin
PATCH  /environment/v2/regions/{id}                                       region               admin
PATCH  /parameter/v1/assets/{id}                                          asset                user
DELETE /parameter/v1/assets/{id}                                          asset                user
PATCH  /parameter/v1/parameters/{id}                                      parameter            user
DELETE /parameter/v1/parameters/{id}                                      parameter            user
DELETE /parameter/v1/entries/{id}                                         entry                user
POST   /parameter/v1/asset_type_groups                                    asset_type_groups    admin
PATCH  /parameter/v1/asset_type_groups/{id}                               asset_type_group     admin
DELETE /parameter/v1/asset_type_groups/{id}                               asset_type_group     admin
POST   /parameter/v1/asset_types                                          asset_types          admin
PATCH  /parameter/v1/asset_types/{id}                                     asset_type           admin
DELETE /parameter/v1/asset_types/{id}                                     asset_type           admin
POST   /parameter/v1/asset_types/{id}/asset_sub_types                     asset_sub_types      admin
PATCH  /parameter/v1/asset_types/{id}/asset_sub_types/{sub_id}            asset_sub_type       admin
DELETE /parameter/v1/asset_types/{id}/asset_sub_types/{sub_id}            asset_sub_type       admin
POST   /parameter/v1/parameter_types                                      parameter_types      admin
PATCH  /parameter/v1/parameter_types/{id}                                 parameter_type       admin
DELETE /parameter/v1/parameter_types/{id}                                 parameter_type       admin
POST   /parameter/v1/item_types                                           item_types           admin
PATCH  /parameter/v1/item_types/{id}                                      item_type            admin
DELETE /parameter/v1/item_types/{id}                                      item_type            admin
PATCH  /parameter/v1/unit_types/{id}                                      unit_type            admin
DELETE /parameter/v1/unit_types/{id}                                      unit_type            admin
PATCH  /parameter/v1/units/{id}                                           unit                 admin
DELETE /parameter/v1/units/{id}                                           unit                 admin
GET    /parameter/v1/units/convert                                        value,unit           user
POST   /parameter/v1/unit_systems                                         unit_systems         admin
PATCH  /parameter/v1/unit_systems/{id}                                    unit_system          admin
DELETE /parameter/v1/unit_systems/{id}                                    unit_system          admin
POST   /parameter/v1/parameter_set_categories                             parameter_set_category user
DELETE /parameter/v1/parameter_set_categories/{id}                        parameter_set_category user
POST   /parameter/v1/parameter_sets                                       parameter_set        user
DELETE /parameter/v1/parameter_sets/{id}                                  parameter_set        user
DELETE /metadata/v1/tags/{tag_id}/links/{reference_id}                    tag_link             user
"""

TABLE = routes.build()
BASES = ("comments", "reference", "qa", "environment", "parameter", "metadata")
PRIVILEGES = {"user": options_pb2.PRIVILEGE_USER, "admin": options_pb2.PRIVILEGE_ADMIN}
PATHS = {(one.method, one.template.segments): one for one in TABLE.routes if one.template.segments[0] in BASES}


def _segments(path: str) -> tuple[str | None, ...]:
    return tuple(None if part.startswith("{") else part for part in path[1:].split("/"))


ROWS = [line.split() for line in (SPECIFIED + ADDED).splitlines() if line]


def test_every_row_has_its_route_with_its_keys_and_privilege() -> None:
    for method, path, keys, privilege in ROWS:
        route = PATHS.get((method, _segments(path)))
        assert route is not None, f"no route for {method} {path}"
        fields = [field.name for field in route.rpc.output.fields]
        for key in keys.split(","):
            assert key in fields, f"{method} {path} has no {key}"
        assert route.rpc.options.privilege == PRIVILEGES[privilege], f"{method} {path}"


def test_every_route_has_its_row() -> None:
    rows = [(method, _segments(path)) for method, path, _, _ in ROWS]
    assert len(rows) == len(set(rows))
    assert PATHS.keys() - set(rows) == set()


def test_pages_are_optional_exactly_where_the_specification_does_not_list_them() -> None:
    paginated = {_segments(path) for _, path, keys, _ in ROWS if "paging" in keys.split(",")}
    assert len(paginated) == 13
    for (method, segments), route in PATHS.items():
        fields = route.rpc.input.fields_by_name
        if method != "GET" or "page_limit" not in fields:
            continue
        queries = ("page_limit", "before", "after", "sort_by", "order", "show_active", "show_deleted")
        assert all(name in fields for name in queries)
        assert route.paged
        assert route.omitted == (frozenset() if segments in paginated else frozenset({"paging", "summary"}))
        assert route.in_parts == (segments not in paginated)


def test_creations_answer_201_and_the_rest_200() -> None:
    for (method, _), route in PATHS.items():
        assert route.success == (201 if method == "POST" else 200), route.template.text


def test_every_route_of_parameter_sets_is_alpha_and_no_other() -> None:
    for (_, segments), route in PATHS.items():
        alpha = segments[2] is not None and segments[2].startswith("parameter_set")
        assert (route.rpc.options.stage == options_pb2.STAGE_ALPHA) == alpha, route.template.text
