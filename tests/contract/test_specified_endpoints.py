"""Every specified endpoint has its route, and every route is specified, or was added with a row here.

A line of a table is: method, path as the document writes it, privilege, fields of the request, keys of the answer. `x[]` is a
list, `x.y` a field of what `x` holds (or its items), `-` nothing; a line that ends in a comma goes on in the next. `paging`
and `deleted` stand for the common query parameters. In an answer `pages` says that `paging` and `summary` are always there;
other lists have them when a paging query is sent. An endpoint whose privilege isn't specified is open to any user.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor

from catenary.options.v1 import options_pb2
from catenary_edge.live import websocket
from catenary_edge.transcoding import routes
from catenary_edge.transcoding.routes import Route

SPECIFIED = {
    # "Platform API". The base address ends in the version segment; /ws stands below.
    "/v1": """
POST   /auth/token                                 public     grant_type,client_id,client_secret access_token
GET    /projects                                   user       limit,cursor               projects
GET    /projects/{projectId}/parameters            viewer     limit,cursor               parameters
POST   /projects/{projectId}/evaluate              evaluator  parameters                 evaluation
""",
    # "Comments service (v2)"
    "/comments/v2": """
GET    /comments                                   user       comment_id[],deleted       comments
POST   /comments                                   user       comments[].reference_id,comments[].reference_table,
           comments[].reference_url,comments[].content  comments
""",
    # "Reference data service (v2)"
    "/reference/v2": """
GET    /source_types                               user       deleted                    source_types
GET    /sources                                    user       deleted                    sources
""",
    # "QA service (v2)"
    "/qa/v2": """
POST   /records                                    user       records[].type_id,records[].reference_id,
           records[].reference_table,records[].reference_url  records
""",
    # "Environment context service (v2)"
    "/environment/v2": """
GET    /projects                                   user       deleted  projects.project_id,projects.project_number,
           projects.number,projects.short_title,projects.client_organisation_name,projects.centre_code,
           projects.confidential,projects.project_director_name,projects.project_director_email,
           projects.project_manager_name,projects.project_manager_email,projects.project_url,projects.scope_of_works
GET    /ads/projects                               user       deleted                    projects.short_title
GET    /projects/{id}                              user       -  project.created_at,project.updated_at,
           project.deleted_at
PATCH  /projects/{id}                              user       -                          project
POST   /projects                                   user       -                          project
GET    /countries                                  user       -  countries.country_class,countries.country_code,
           countries.country_id,countries.country_name,countries.iso_code,countries.iso_country_name,
           countries.iso_formal_name,countries.region.region_id
GET    /regions                                    user       -  regions.region_code,regions.region_id,
           regions.region_name
""",
    # "Parameter service (v1)"
    "/parameter/v1": """
GET    /assets                                     user       paging,deleted  pages,assets.asset_sub_type.asset_type_id
POST   /assets                                     user       assets[].asset_type_id,assets[].asset_sub_type_id,
           assets[].name  assets.asset_sub_type.asset_type_id
GET    /assets/{asset_id}                          user       show_deleted  asset.asset_sub_type.asset_type_id
GET    /assets/{asset_ids}/hierarchy               user       -  hierarchies.id,hierarchies.name,
           hierarchies.asset_type_id
GET    /entries                                    user       parameter_id[]             entries.entry_id
PUT    /entries                                    user       entries[].entry_id,entries[].parameter_id,
           entries[].source_id,entries[].values[],entries[].comment,entries[].location_in_source  entries
GET    /entries/:entry_id/revisions                user       -  revisions.revision_id,revisions.status
PATCH  /revisions                                  user       revisions[].revision_id,revisions[].status,
           revisions[].comment  revisions
GET    /parameters                                 user       paging,deleted  pages,
           parameters.selected_entry.source.source_type.id,parameters.selected_entry.created_by.staff_name
POST   /parameters                                 user       parameters[].entries[].entry_id parameters.selected_entry
GET    /parameters/{parameter_id}                  user       show_deleted               parameter.selected_entry
GET    /asset_tree                                 user       asset_id                   asset_tree
GET    /asset_type_tree                            user       asset_type_id              asset_type_tree
GET    /asset_type_groups                          user       paging                     pages,asset_type_groups
GET    /asset_types                                user       paging  pages,asset_types.asset_sub_type
GET    /asset_types/{asset_type_id}/asset_sub_types user       paging  pages,asset_sub_types.asset_type_id
GET    /parameter_types                            user       paging  pages,parameter_types.default_unit.symbol
GET    /item_types                                 user       paging                     pages,item_types
GET    /unit_types                                 user       paging  pages,unit_types.unit_systems.units.symbol,
           unit_types.unit_systems.short_name
POST   /unit_types                                 user       -                          unit_types.unit_systems
GET    /unit_types/:unit_type_id                   user       -  unit_type.created_at,unit_type.updated_at,
           unit_type.deleted_at
GET    /units                                      user       paging                     pages,units.symbol
POST   /units                                      user       units[].symbol,units[].unit_type_id,units[].unit_system_id  units
GET    /unit_systems                               user       paging                     pages,unit_systems
GET    /parameter_set_categories                   user       -                          parameter_set_categories
GET    /parameter_set_types                        user       -                          parameter_set_types
POST   /parameter_set_types                        user       -                          parameter_set_type
DELETE /parameter_set_types/:parameter_set_type_id user       -                          parameter_set_type
POST   /parameter_set_types/:parameter_set_type_id/items user       -                          parameter_set_type
DELETE /parameter_set_types/:parameter_set_type_id/items/:item_type_id user       -  parameter_set_type
GET    /parameter_sets                             user       parameter_set_type_id      parameter_sets
GET    /parameter_sets/:parameter_set_id           user       -                          parameter_set
GET    /parameter_sets/:parameter_set_id/parameters user       -  parameter_set_parameters.parameter_type.global_parameter,
           parameter_set_parameters.parents.asset_type.parent_id
""",
    # "Parameter metadata service (v1)"
    "/metadata/v1": """
GET    /tags                                       user       paging,deleted,tag_scope[],omit_global  pages,
           tags.tag_type.allow_custom,tags.tag_scope
POST   /tags                                       user       name,tag_type_id,tag_scope tag
GET    /tags/:tag_id                               user       -                          tag.tag_type.allow_custom
PATCH  /tags/:tag_id                               admin      name                       tag
DELETE /tags/:tag_id                               admin      -                          tag
GET    /tags/:tag_id/links                         user       paging,deleted             pages,tag_links.reference_id
GET    /tags/:tag_id/links/:reference_id           user       -                          tag_link.reference_table
PATCH  /tags/{tag_id}/links/{reference_id}         user       reference_table,reference_url tag_link
PUT    /tag_links                                  user       tag_links[].tag_id,tag_links[].reference_id tag_links
GET    /tag_types                                  user       paging,deleted             pages,tag_types.allow_custom
POST   /tag_types                                  admin      -                          tag_type
GET    /tag_types/:tag_type_id                     user       -                          tag_type.allow_custom
PATCH  /tag_types/{tag_type_id}                    admin      -                          tag_type
DELETE /tag_types/{tag_type_id}                    admin      -                          tag_type
""",
}  # fmt: skip

# What was added, by its subject. Parts of the platform that are not served yet come with their routes.
ADDED = {
    ("token route", "/v1"): """
POST   /auth/revoke                                public     -                          -
POST   /auth/demo                                  public     -                          access_token
POST   /auth/session                               public     invitation,sign_in         access_token,scope
POST   /auth/session/refresh                       public     -                          access_token,scope
DELETE /auth/session                               public     -                          -
""",
    ("Studio", "/v1"): """
GET    /studio/config                              public     -                          config.demo
""",
    ("token", ""): """
GET    /.well-known/jwks.json                      public     -                          keys
GET    /.well-known/oauth-authorization-server     public     -                          issuer,token_endpoint,jwks_uri
""",
    ("comments", "/comments/v2"): """
GET    /comments/{comment_id}                      user       show_deleted               comment
PATCH  /comments/{comment_id}                      user       content                    comment
DELETE /comments/{comment_id}                      user       -                          comment
""",
    ("reference", "/reference/v2"): """
POST   /sources                                    user       title,source_type_id       source.source_type
GET    /sources/{source_id}                        user       show_deleted               source
PATCH  /sources/{source_id}                        user       -                          source
DELETE /sources/{source_id}                        user       -                          source.deleted_at
POST   /source_types                               admin      name                       source_type.visible
GET    /source_types/{source_type_id}              user       show_deleted               source_type
PATCH  /source_types/{source_type_id}              admin      -                          source_type
DELETE /source_types/{source_type_id}              admin      -                          source_type
""",
    ("qa", "/qa/v2"): """
GET    /records                                    user       reference_id[],type_id[],deleted records.created_by
GET    /records/{record_id}                        user       show_deleted               record.created_by
DELETE /records/{record_id}                        user       -                          record.deleted_at
GET    /record_types                               user       deleted                    record_types
POST   /record_types                               admin      name                       record_type
""",
    ("environment", "/environment/v2"): """
DELETE /projects/{id}                              admin      -                          project
GET    /countries/{country_id}                     user       show_deleted               country
POST   /countries                                  admin      -                          country
PATCH  /countries/{country_id}                     admin      -                          country
GET    /regions/{region_id}                        user       show_deleted               region
POST   /regions                                    admin      -                          region
PATCH  /regions/{region_id}                        admin      -                          region
""",
    ("parameter", "/parameter/v1"): """
PATCH  /assets/{asset_id}                          user       -                          asset
DELETE /assets/{asset_id}                          user       -                          asset
PATCH  /parameters/{parameter_id}                  user       -                          parameter
DELETE /parameters/{parameter_id}                  user       -                          parameter
POST   /asset_type_groups                          admin      -                          asset_type_groups
PATCH  /asset_type_groups/{asset_type_group_id}    admin      -                          asset_type_group
DELETE /asset_type_groups/{asset_type_group_id}    admin      -                          asset_type_group
POST   /asset_types                                admin      -                          asset_types
PATCH  /asset_types/{asset_type_id}                admin      -                          asset_type
DELETE /asset_types/{asset_type_id}                admin      -                          asset_type
POST   /asset_types/{asset_type_id}/asset_sub_types admin      -                          asset_sub_types
PATCH  /asset_types/{asset_type_id}/asset_sub_types/{asset_sub_type_id} admin      -  asset_sub_type
DELETE /asset_types/{asset_type_id}/asset_sub_types/{asset_sub_type_id} admin      -  asset_sub_type
POST   /parameter_types                            admin      -                          parameter_types
PATCH  /parameter_types/{parameter_type_id}        admin      -                          parameter_type
DELETE /parameter_types/{parameter_type_id}        admin      -                          parameter_type
POST   /item_types                                 admin      -                          item_types
PATCH  /item_types/{item_type_id}                  admin      -                          item_type
DELETE /item_types/{item_type_id}                  admin      -                          item_type
PATCH  /unit_types/{unit_type_id}                  admin      -                          unit_type
DELETE /unit_types/{unit_type_id}                  admin      -                          unit_type
PATCH  /units/{unit_id}                            admin      -                          unit
DELETE /units/{unit_id}                            admin      -                          unit
POST   /unit_systems                               admin      -                          unit_systems
PATCH  /unit_systems/{unit_system_id}              admin      -                          unit_system
DELETE /unit_systems/{unit_system_id}              admin      -                          unit_system
GET    /units/convert                              user       value,from_unit_id,to_unit_id value,unit
DELETE /entries/{entry_id}                         user       -                          entry
POST   /parameter_set_categories                   user       name                       parameter_set_category
DELETE /parameter_set_categories/{parameter_set_category_id} user       -  parameter_set_category
POST   /parameter_sets                             user       -                          parameter_set
DELETE /parameter_sets/{parameter_set_id}          user       -                          parameter_set
""",
    ("metadata", "/metadata/v1"): """
DELETE /tags/{tag_id}/links/{reference_id}         user       -                          tag_link.deleted_at
""",
    ("projects, people, models", "/v1"): """
POST   /projects                                   user       name,description,environment_project_id project.role
GET    /projects/{project_id}                      viewer     -                          project
PATCH  /projects/{project_id}                      editor     -                          project
DELETE /projects/{project_id}                      owner      -                          project
GET    /projects/{project_id}/members              viewer     limit,cursor               members
POST   /projects/{project_id}/members              owner      user_id,team_id,email,role member
PUT    /projects/{project_id}/members/{user_id}    owner      role                       member
DELETE /projects/{project_id}/members/{user_id}    viewer     -                          member
GET    /projects/{project_id}/shares               owner      limit,cursor               shares
POST   /projects/{project_id}/shares               owner      kind,user_id,team_id,role,variant_id,expires_at share,url
GET    /projects/{project_id}/shares/{share_id}    owner      -                          share
DELETE /projects/{project_id}/shares/{share_id}    owner      -                          share.deleted_at
GET    /shares/current                             user       -                          share
GET    /projects/{project_id}/invitations          owner      limit,cursor               invitations
POST   /projects/{project_id}/invitations          owner      email,staff_name,role      invitation.status,url
GET    /projects/{project_id}/invitations/{invitation_id} owner  -  invitation.expires_at,invitation.email_verified
DELETE /projects/{project_id}/invitations/{invitation_id} owner  -                       invitation.deleted_at
POST   /users/me/sign_in_links                     user       -                          url,expires_at
POST   /users/{user_id}/sign_in_links              admin      -                          url,expires_at
GET    /users/me                                   user       -                          user
PATCH  /users/me                                   user       -                          user
GET    /users                                      user       search,limit,cursor        users
GET    /users/{user_id}                            user       -                          user
PATCH  /users/{user_id}                            admin      -                          user
DELETE /users/{user_id}                            admin      -                          user
GET    /teams                                      user       limit,cursor               teams
POST   /teams                                      user       name                       team
GET    /teams/{team_id}                            user       -                          team
PATCH  /teams/{team_id}                            user       -                          team
DELETE /teams/{team_id}                            user       -                          team
PUT    /teams/{team_id}/members/{user_id}          user       -                          member
DELETE /teams/{team_id}/members/{user_id}          user       -                          member
GET    /audit                                      admin      actor_id,action,subject,outcome,from,to,limit,cursor  entries
GET    /clients                                    admin      limit,cursor               clients
POST   /clients                                    admin      name                       client,client_secret
GET    /clients/{client_id}                        admin      -                          client
PATCH  /clients/{client_id}                        admin      -                          client
DELETE /clients/{client_id}                        admin      -                          client
GET    /api_keys                                   user       limit,cursor               api_keys
POST   /api_keys                                   user       name,scopes[]              api_key,key
GET    /api_keys/{api_key_id}                      user       -                          api_key
DELETE /api_keys/{api_key_id}                      user       -                          api_key
GET    /projects/{project_id}/models               viewer     limit,cursor               models
POST   /projects/{project_id}/models               editor     name                       model
PATCH  /projects/{project_id}/models/{model_id}    editor     name                       model
DELETE /projects/{project_id}/models/{model_id}    editor     -                          model.deleted_at
GET    /projects/{project_id}/models/{model_id}/versions viewer     limit,cursor               model_versions
POST   /projects/{project_id}/models/{model_id}/versions editor     -                          model_version
GET    /projects/{project_id}/models/{model_id}/versions/{model_version_id} viewer     -  model_version
DELETE /projects/{project_id}/models/{model_id}/versions/{model_version_id} editor     -  model_version.deleted_at
GET    /projects/{project_id}/models/{model_id}/versions/{model_version_id}/source editor     -  chunk
GET    /projects/{project_id}/models/{model_id}/versions/{model_version_id}/log viewer     -  log
GET    /projects/{project_id}/deployments          viewer     limit,cursor               deployments
POST   /projects/{project_id}/deployments          editor     model_version_id           deployment
DELETE /projects/{project_id}/deployments/current  editor     -                          deployment
PATCH  /projects/{project_id}/parameters/{name}    editor     -                          parameter
""",
    ("evaluations", "/v1"): """
GET    /projects/{project_id}/evaluations          viewer     limit,cursor               evaluations
GET    /evaluations/{evaluation_id}                viewer     -  evaluation.created_by.user_id,
           evaluation.created_by.staff_name
DELETE /evaluations/{evaluation_id}                evaluator  remove                     evaluation
POST   /projects/{project_id}/evaluations/purge    editor     older_than,unused,dry_run  removed,more
GET    /evaluations/{evaluation_id}/geometry/{name} viewer     -                          chunk
GET    /evaluations/{evaluation_id}/files/{name}   viewer     -                          chunk
POST   /projects/{project_id}/files                evaluator  name                       file.file_id
GET    /projects/{project_id}/files                viewer     limit,cursor               files
GET    /files/{file_id}                            viewer     -                          file
DELETE /files/{file_id}                            evaluator  -                          file
POST   /projects/{project_id}/evaluate/plan        evaluator  kind,parameters,size,seed  plan.plan_id,
           plan.evaluations[].parameters
POST   /projects/{project_id}/evaluate/batch       evaluator  evaluations[].parameters   batch
GET    /projects/{project_id}/batches              viewer     limit,cursor               batches
GET    /batches/{batch_id}                         viewer     -                          batch.counts.queued
DELETE /batches/{batch_id}                         evaluator  remove                     batch
GET    /batches/{batch_id}/results                 viewer     limit,cursor               results
GET    /batches/{batch_id}/stream                  viewer     after  items.id,items.result.index,items.batch,position
POST   /projects/{project_id}/studies              evaluator  kind,objectives[].metric,budget,seed,start_from  study
GET    /projects/{project_id}/studies              viewer     limit,cursor               studies
GET    /studies/{study_id}                         viewer     -  study.generation,study.counts.queued,
           study.hypervolume.hypervolume,study.expected_end
DELETE /studies/{study_id}                         evaluator  remove                     study
POST   /studies/{study_id}/cancel                  evaluator  -                          study
POST   /studies/{study_id}/resume                  evaluator  budget                     study
GET    /studies/{study_id}/results                 viewer     limit,cursor  results.parameters,results.metrics,
           results.constraints,results.feasible,results.rank,results.generation
GET    /studies/{study_id}/results/points.csv      viewer     -                          chunk
GET    /studies/{study_id}/front                   viewer     limit,cursor,representatives  points,knee,representatives
GET    /studies/{study_id}/indices                 viewer     -  indices.parameters.mu_star,indices.parameters.s1
GET    /projects/{project_id}/evaluations.csv      viewer     model_version_id,status,asked_by,batch_id,study_id chunk
POST   /projects/{project_id}/evaluations.csv      evaluator  -                          batch
POST   /import                                     user       kind,dry_run               counts.kind,counts.added,
           counts.revised,counts.kept
GET    /projects/{project_id}/variants             viewer     search,limit,cursor        variants
POST   /projects/{project_id}/variants             evaluator  name,note,evaluation_id,parameters,model_version_id  variant
GET    /projects/{project_id}/variants/compare     viewer     variant_id  comparison.parameters,comparison.metrics
GET    /variants/{variant_id}                      viewer     -  variant.status,variant.evaluation,
           variant.thumbnail.url,variant.thumbnail.size
GET    /variants/{variant_id}/thumbnail            viewer     -                          chunk
PATCH  /variants/{variant_id}                      evaluator  name,note                  variant
DELETE /variants/{variant_id}                      evaluator  -                          variant.deleted_at
GET    /projects/{project_id}/comments             viewer     variant_id,resolved,limit,cursor  comments
POST   /projects/{project_id}/comments             evaluator  content,parent_id,variant_id,mentions[],
           anchor.x,anchor.y,anchor.z,anchor.geometry,anchor.part,camera.position[],camera.target[],camera.up[],
           camera.projection,camera.fov_degrees,camera.height  comment.resolved
GET    /comments/{comment_id}                      viewer     -  comment.anchor.part,comment.camera.projection,
           comment.resolved_by.user_id,comment.resolved_at,comment.created_by.staff_name
PATCH  /comments/{comment_id}                      evaluator  content,resolved           comment
DELETE /comments/{comment_id}                      evaluator  -                          comment.deleted_at
GET    /projects/{project_id}/views                viewer     limit,cursor               views
POST   /projects/{project_id}/views                editor     name,is_default,viewer.camera.position[],
           viewer.section.normal[],viewer.background,viewer.edges,viewer.hidden_parts[],viewer.colors,viewer.length_unit,
           charts[].kind,charts[].axes[],charts[].color_by,charts[].filters,controls[].parameter,controls[].widget,
           controls[].group,controls[].label,controls[].hidden,metrics[]  view.omitted
GET    /views/{view_id}                            viewer     -  view.viewer.camera.projection,view.viewer.section.point,
           view.charts.kind,view.controls.widget,view.metrics,view.omitted,view.created_by.staff_name
PUT    /views/{view_id}                            editor     name,is_default,viewer,charts[].axes[],metrics[]  view
DELETE /views/{view_id}                            editor     -                          view.deleted_at
GET    /notifications                              user       unread,limit,cursor        notifications
GET    /notifications/{notification_id}            user       -                          notification
PATCH  /notifications/{notification_id}            user       read                       notification
GET    /usage                                      user       project_id,month  usage.evaluations,
           usage.compute_seconds,usage.storage,usage.quota.storage
""",
    ("expressions", "/v2"): """
GET    /projects/{project_id}/derived_metrics      viewer     -                          derived_metrics
PUT    /projects/{project_id}/derived_metrics      editor     metrics[].name             derived_metrics
""",
    ("events and webhooks", "/v1"): """
GET    /events                                     user       project_id,types[],after   events,position
POST   /system_events                              admin      type,message               system_event
GET    /webhooks                                   user       limit,cursor               webhooks
POST   /webhooks                                   user       url,events[],secret        webhook,secret
GET    /webhooks/{webhook_id}                      user       -                          webhook
PATCH  /webhooks/{webhook_id}                      user       url,events[]               webhook
DELETE /webhooks/{webhook_id}                      user       -                          webhook.deleted_at
POST   /webhooks/{webhook_id}/rotate_secret        user       -                          webhook,secret
POST   /webhooks/{webhook_id}/test                 user       -                          delivery
GET    /webhooks/{webhook_id}/deliveries           user       limit,cursor               deliveries
POST   /webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver user       -            delivery
""",
}  # fmt: skip

# Routes for what was decided without naming their paths.
IMPLIED = {
    ("client secrets are shown once", "/v1"): """
POST   /clients/{client_id}/rotate_secret          admin      -                          client,client_secret
POST   /clients/{client_id}/revoke_tokens          admin      -                          client
""",
    ("worker tokens are listed and revocable", "/v1"): """
GET    /worker_tokens                              admin      limit,cursor               worker_tokens
POST   /worker_tokens                              admin      name                       worker_token,token
GET    /worker_tokens/{worker_token_id}            admin      -                          worker_token
DELETE /worker_tokens/{worker_token_id}            admin      -                          worker_token.deleted_at
""",
    ("teams and their members", "/v1"): """
GET    /teams/{team_id}/members                    user       limit,cursor               members
""",
    ("models", "/v1"): """
GET    /projects/{project_id}/models/{model_id}    viewer     -                          model
""",
    ("the bytes of a file that evaluators uploaded", "/v1"): """
GET    /files/{file_id}/content                    viewer     -                          chunk
""",
    ("plans are kept a day, given as a file, deleted by who made them", "/v1"): """
GET    /projects/{project_id}/plans                viewer     limit,cursor               plans
GET    /plans/{plan_id}                            viewer     -                          plan
GET    /plans/{plan_id}/evaluations.csv            viewer     -                          chunk
GET    /plans/{plan_id}/points                     viewer     limit,cursor               points
GET    /plans/{plan_id}/points/evaluations.csv     viewer     -                          chunk
DELETE /plans/{plan_id}                            evaluator  -                          plan
""",
    ("the values of derived metrics", "/v2"): """
GET    /evaluations/{evaluation_id}/derived_metrics viewer    -                          values
""",
}

# Specified rows that are no bindings: the edge serves them itself.
WITHOUT_BINDING = {("GET", websocket.PATH)}

COMMON = {
    "paging": ("page_limit", "before", "after", "sort_by", "order"),
    "deleted": ("show_active", "show_deleted"),
}
PRIVILEGES = {
    "public": options_pb2.PRIVILEGE_PUBLIC,
    "user": options_pb2.PRIVILEGE_USER,
    "admin": options_pb2.PRIVILEGE_ADMIN,
    "viewer": options_pb2.PRIVILEGE_PROJECT_VIEWER,
    "evaluator": options_pb2.PRIVILEGE_PROJECT_EVALUATOR,
    "editor": options_pb2.PRIVILEGE_PROJECT_EDITOR,
    "owner": options_pb2.PRIVILEGE_PROJECT_OWNER,
}
PAGES = ("paging", "summary")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table."""

    source: str
    method: str
    path: str
    privilege: str
    request: tuple[str, ...]
    answer: tuple[str, ...]

    @property
    def key(self) -> tuple[str, str]:
        """Return the method and path; the names of path variables don't count."""
        return self.method, re.sub(r":\w+|\{\w+\}", "{}", self.path)


def _rows(tables: dict[str, str] | dict[tuple[str, str], str]) -> Iterator[Row]:
    for head, text in tables.items():
        source, base = ("specified", head) if isinstance(head, str) else (f"added: {head[0]}", head[1])
        for line in re.sub(r",\n\s+", ",", text.strip()).splitlines():
            method, path, privilege, request, answer = line.split()
            fields = [name for word in _words(request) for name in COMMON.get(word, (word,))]
            yield Row(source, method, base + path, privilege, tuple(fields), _words(answer))


def _words(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(","))


ROWS = [row for tables in (SPECIFIED, ADDED, IMPLIED) for row in _rows(tables)]
ROUTES = {(route.method, re.sub(r"\{[^}]*\}", "{}", route.template.text)): route for route in routes.build().routes}


def _field(message: Descriptor, name: str) -> FieldDescriptor:
    """Return the field of a dotted name; a list of lists in an answer has messages of one list."""
    *path, last = name.split(".")
    for part in path:
        field = _field(message, part)
        assert field.message_type is not None, f"{field.full_name} has no fields"
        message = field.message_type
        if message.GetOptions().Extensions[options_pb2.message].bare_list:
            message = message.fields[0].message_type
    wanted = last.removesuffix("[]")
    assert wanted in message.fields_by_name, f"{message.full_name} lacks {wanted}"
    field = message.fields_by_name[wanted]
    if last.endswith("[]"):
        assert field.is_repeated, f"{field.full_name} is no list"
    return field


def test_the_tables_name_each_route_once() -> None:
    keys = [row.key for row in ROWS]
    assert len(keys) == len(set(keys))
    assert not WITHOUT_BINDING & set(keys)


def test_no_row_is_without_a_route() -> None:
    assert [(row.source, *row.key) for row in ROWS if row.key not in ROUTES] == []


def test_no_route_is_without_a_row() -> None:
    assert sorted(ROUTES.keys() - {row.key for row in ROWS}) == []


def test_the_websocket_is_where_it_is_specified() -> None:
    assert {("GET", "/ws")} == WITHOUT_BINDING
    assert WITHOUT_BINDING.isdisjoint(ROUTES)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.method} {row.path}")
def test_a_route_asks_and_answers_what_its_row_says(row: Row) -> None:
    route = ROUTES[row.key]
    assert route.rpc.options.privilege == PRIVILEGES[row.privilege]
    for name in row.request:
        _field(route.rpc.input, name)
    keys = [name for name in row.answer if name != "pages"]
    for name in keys:
        _field(route.rpc.output, name)
    top = {field.name for field in route.rpc.output.fields}
    if route.public:
        return
    assert top - {*PAGES, routes.NEXT_CURSOR} == {name.split(".")[0] for name in keys}
    _check_pages(route, top, always="pages" in row.answer)


def _check_pages(route: Route, top: set[str], *, always: bool) -> None:
    if always:
        assert top >= set(PAGES)
    for name in top & set(PAGES):
        field = route.rpc.output.fields_by_name[name]
        assert field.GetOptions().Extensions[options_pb2.field].omit_unset != always, field.full_name
        assert set(COMMON["paging"]) <= {field.name for field in route.rpc.input.fields}


# The specified list of paginated endpoints.
PAGINATED = {
    "parameter": {
        "/assets", "/parameters", "/asset_type_groups", "/asset_types", "/asset_types/{}/asset_sub_types",
        "/parameter_types", "/item_types", "/unit_types", "/units", "/unit_systems",
    },
    "metadata": {"/tags", "/tags/{}/links", "/tag_types"},
}  # fmt: skip


def test_the_paginated_endpoints_are_the_specified_ones() -> None:
    listed = {("GET", f"/{service}/v1{path}") for service, paths in PAGINATED.items() for path in paths}
    assert {row.key for row in ROWS if "pages" in row.answer} == listed


def test_creation_answers_201_and_everything_else_of_the_data_services_200() -> None:
    for (method, path), route in ROUTES.items():
        if not path.startswith(("/v1/", "/.well-known/")):
            assert route.success == (201 if method == "POST" else 200), (method, path)


def test_a_row_that_is_taken_away_and_a_route_that_is_added_are_found() -> None:
    """The two comparisons, each with a fault put in."""
    taken = {key: route for key, route in ROUTES.items() if key != ("GET", "/metadata/v1/tags")}
    assert [row.path for row in ROWS if row.key not in taken] == ["/metadata/v1/tags"]
    added = {*ROUTES, ("POST", "/metadata/v1/tags/{}/links")}
    assert added - {row.key for row in ROWS} == {("POST", "/metadata/v1/tags/{}/links")}
