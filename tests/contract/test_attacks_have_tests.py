"""Lists of what must not get through, item by item, with the tests that hold them.

A test that is renamed or goes fails here; so does an item without one.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from factories.checks.documents import table_of_guide
from factories.webhooks.targets import ROWS

TESTS = Path(__file__).resolve().parents[1]
_BODIES = "integration/edge/test_bodies.py::test_bad_bodies_are_refused_by_name_and_the_next_request_works"
_TEXT = "unit/edge/test_json_text.py::test_a_text_that_is_not_strict_json_is_refused_by_place"
_TAKEN = "unit/edge/test_json_text.py::test_what_is_strict_json_is_taken"
_SILENTLY = "unit/edge/test_json_text.py::test_without_the_check_orjson_takes_it_silently"
_FRAMING = "integration/edge/test_framing.py::test_damaged_framing_is_400_in_our_own_body"
_PLAIN = "integration/edge/test_framing.py::test_without_our_connection_the_server_answers_plain_text"
_DOOR = "integration/core/test_grpc_door.py::"
_SLOW = "integration/edge/test_many_slow_clients.py::test_hundreds_of_slow_clients_leave_a_normal_one_its_speed"
_LONG = "unit/edge/test_json_text.py::test_a_body_of_one_mebibyte_takes_no_longer_than_its_length_asks"
_BOMB = "integration/edge/test_bodies.py::test_without_the_limit_after_inflating_the_bomb_would_be_read_whole"
_QUERY = "integration/edge/test_query_attacks.py::test_limits_sort_keys_and_cursors_are_refused_by_name"
_GUARDS = "integration/edge/test_guards.py::"
_PAGES = "integration/core/test_data_paging.py::"
_SOCKET = "integration/events/test_websocket.py::"
_OPEN = "integration/events/test_websocket_guards.py::"
_ENDS = "integration/events/test_endings.py::"
_BROWSER = "browser/test_websocket.py::"

_TARGETS = "integration/webhooks/test_forbidden_targets.py::"
_NAMES = "integration/webhooks/test_names_that_lie.py::"
_ANSWERS = "integration/webhooks/test_hostile_answers.py::"
_API = "integration/webhooks/test_forbidden_through_the_api.py::"
_MADE = _TARGETS + "test_a_webhook_is_neither_made_with_nor_changed_to_a_forbidden_url"
_DELIVERED = _TARGETS + "test_nothing_is_delivered_to_a_forbidden_url"
_REDIRECTED = _TARGETS + "test_a_redirect_to_a_forbidden_url_is_not_followed"

BODIES_AND_REQUESTS: dict[str, list[tuple[str, str]]] = {
    "depth 100": [(_BODIES, '"depth 100"'), (_TEXT, 'b"[" * 100 + b"]" * 100'), (_SILENTLY, 'b"[" * 100')],
    "depth 100,000": [(_BODIES, '"depth 100,000"'), (_TEXT, 'b"[" * 100_000')],
    "1 MiB + 1": [(_BODIES, '"1 MiB + 1"'), (_LONG, "")],
    "an array of 10^6": [(_BODIES, '"an array of 10^6"')],
    "2^53+1": [(_BODIES, '"2^53+1"'), (_TAKEN, "2**53 + 1")],
    "2^63": [(_BODIES, '"2^63"'), (_TAKEN, "2**63")],
    "2^64": [(_BODIES, '"2^64"'), (_TEXT, "18446744073709551616"), (_SILENTLY, "18446744073709551616")],
    "5,000 digits": [(_BODIES, '"5,000 digits"'), (_TEXT, 'b"1" * 5000')],
    "1e400": [(_BODIES, '"1e400"'), (_TEXT, "1e400")],
    "NaN": [(_BODIES, '"NaN"'), (_TEXT, "NaN")],
    "-0": [(_BODIES, '"-0"'), (_TAKEN, 'b"-0"')],
    "duplicate keys": [(_BODIES, '"duplicate keys"'), (_TEXT, '"duplicate"'), (_SILENTLY, '"a":1,"a":2')],
    "lone surrogates": [(_BODIES, '"lone surrogate"'), (_TEXT, "ud800")],
    "overlong UTF-8": [(_BODIES, '"overlong UTF-8"'), (_TEXT, "xc0")],
    "invalid UTF-8": [(_BODIES, '"invalid UTF-8"'), (_TEXT, "xff")],
    "BOM": [(_BODIES, '"BOM"')],
    "UTF-16": [(_BODIES, '"UTF-16"'), (_TEXT, '"utf-16"')],
    "U+0000": [(_BODIES, '"NUL escape"'), (_SILENTLY, "u0000")],
    "empty": [(_BODIES, '"empty"')],
    "null": [(_BODIES, '"null"')],
    "a scalar": [(_BODIES, '"a scalar"')],
    "trailing bytes": [(_BODIES, '"trailing bytes"')],
    "wrong Content-Type": [(_BODIES, '"wrong Content-Type"')],
    "absent Content-Type": [("integration/edge/test_bodies.py::test_a_body_without_a_media_type_is_415", "")],
    "gzip of 48 kB that makes 50 MB": [
        (_BODIES, '"gzip of 50 MB"'),
        (_BOMB, "50_000"),
    ],
    "two Content-Lengths": [(_FRAMING, '"two Content-Lengths"')],
    "length with chunked": [
        (_FRAMING, '"length with chunked"'),
        ("integration/edge/test_framing.py::test_a_request_that_smuggles_another_gets_one_answer", ""),
    ],
    "obs-fold": [(_FRAMING, '"obs-fold"'), (_PLAIN, '"obs-fold"')],
    "NUL": [(_FRAMING, '"NUL in a header"'), (_PLAIN, '"NUL in a header"')],
    "bad chunk": [
        (_FRAMING, '"a bad chunk"'),
        ("integration/edge/test_framing.py::test_without_waking_its_reader_a_broken_body_would_hold_the_request", ""),
    ],
    "no Host": [(_FRAMING, '"no Host"'), (_PLAIN, '"no Host"')],
    "gRPC: unknown fields": [(_DOOR + "test_unknown_fields_change_nothing", "")],
    "gRPC: invalid UTF-8": [(_DOOR + "test_bytes_that_are_no_message_are_refused", '"invalid UTF-8"')],
    "gRPC: 4 MB messages": [(_DOOR + "test_a_message_over_4_mib_is_refused_unread", "")],
    "gRPC: metadata over 8 kB": [(_DOOR + "test_metadata_over_8_kib_is_refused", "")],
    "gRPC: no deadline": [(_DOOR + "test_a_call_without_a_deadline_gets_one", "")],
    "gRPC: 10,000 streams": [(_DOOR + "test_ten_thousand_calls_at_once_are_answered_or_refused", "10_000")],
    "cursors: flipped bits": [(_PAGES + "test_every_flipped_bit_of_a_cursor_is_found", "")],
    "cursors: foreign ones": [(_PAGES + "test_a_cursor_that_the_list_did_not_give_is_refused", '"sources"')],
    "limits huge and negative": [(_QUERY, "page_limit")],
    "sort_by injection": [(_QUERY, "DROP")],
    "10,000 ids in an array": [
        ("integration/edge/test_long_addresses.py::test_ten_thousand_ids_are_refused_in_the_body_of_the_surface", "10_000"),
        ("integration/edge/test_query_attacks.py::test_ten_thousand_ids_in_a_body_or_over_grpc_are_refused", "10_000"),
    ],
    "WebSocket: no token": [
        (_SOCKET + "test_without_a_good_credential_there_is_no_upgrade", "AUTHENTICATION_REQUIRED"),
        (_BROWSER + "test_a_wrong_token_gets_no_socket", ""),
    ],
    "WebSocket: a token that expires": [
        (_ENDS + "test_a_token_that_expires_closes_with_1008", ""),
        (_OPEN + "test_without_the_look_at_credentials_and_roles_ended_ones_stay_open", ""),
    ],
    "WebSocket: a 1 MiB frame": [
        (_SOCKET + "test_a_client_that_sends_too_much_is_closed", "1 << 20"),
        (_OPEN + "test_without_their_limits_a_long_frame_and_ten_thousand_are_taken", "1 << 20"),
    ],
    "WebSocket: 10,000 frames a second": [
        (_SOCKET + "test_a_client_that_sends_too_much_is_closed", "10_000"),
        (_OPEN + "test_without_their_limits_a_long_frame_and_ten_thousand_are_taken", "10_000"),
    ],
    "WebSocket: wrong Origin": [
        (_SOCKET + "test_a_page_of_another_origin_may_not_connect", "evil.example"),
        (_OPEN + "test_without_its_check_a_page_of_another_origin_connects", "evil.example"),
        (_BROWSER + "test_a_page_of_another_origin_gets_no_socket_though_it_has_a_token", ""),
    ],
    "WebSocket: a foreign project": [
        (_SOCKET + "test_a_foreign_project_is_like_none", ""),
        (_OPEN + "test_without_its_check_a_foreign_project_is_subscribed_to", ""),
    ],
    "500 silent": [(_SLOW, '"silent"'), (_GUARDS + "test_a_silent_connection_is_closed_at_the_header_deadline", "")],
    "500 dripping headers": [
        (_SLOW, '"dripping headers"'),
        (_GUARDS + "test_a_dripping_header_is_closed_at_the_header_deadline", ""),
    ],
    "500 dripping bodies": [(_SLOW, '"dripping bodies"'), (_GUARDS + "test_a_dripping_body_is_408_at_its_deadline", "")],
    "200 that never read": [
        (_SLOW, '"never reading"'),
        (_GUARDS + "test_a_client_that_never_reads_is_cut_off", ""),
        (_OPEN + "test_who_never_reads_costs_a_thousand_messages_and_delays_nobody", "param(200"),
        (_OPEN + "test_without_its_bound_everything_waits_for_one_that_never_reads", ""),
    ],
}  # fmt: skip
"""By item: the tests, and a text of the test's file that names the case."""

FORBIDDEN_TARGETS = {
    "other schemes": ["scheme http", "scheme ftp", "scheme file", "scheme gopher", "scheme javascript"],
    "userinfo": ["userinfo", "userinfo empty"],
    "over 2,048 characters": ["over 2,048 characters"],
    "CR/LF": ["CR/LF in the path", "LF in the host"],
    "circled digits": ["circled digits"],
    "trailing dot": ["trailing dot", "trailing dot of a name"],
    "upper case": ["upper case", "upper case scheme"],
    "127.0.0.1": ["127.0.0.1"],
    "127.1": ["127.1"],
    "2130706433": ["2130706433"],
    "0x7f000001": ["0x7f000001"],
    "0177.0.0.1": ["0177.0.0.1"],
    "0.0.0.0": ["0.0.0.0"],
    "localhost": ["localhost"],
    "*.localhost": ["a name under localhost"],
    "10/8": ["10/8", "10/8, last"],
    "172.16/12": ["172.16/12", "172.16/12, last"],
    "192.168/16": ["192.168/16"],
    "169.254.169.254": ["169.254.169.254"],
    "100.64/10": ["100.64/10"],
    "192.0.0/24": ["192.0.0/24"],
    "192.0.2/24": ["192.0.2/24"],
    "198.18/15": ["198.18/15"],
    "224/4": ["224/4"],
    "240/4": ["240/4"],
    "broadcast": ["broadcast"],
    "::": ["::"],
    "::1": ["::1"],
    "fe80::": ["fe80::/10"],
    "fc00::": ["fc00::/7"],
    "fec0::": ["fec0::/10"],
    "ff02::": ["ff02::/16"],
    "::ffff:a.b.c.d": ["mapped", "mapped in hexadecimal"],
    "::a.b.c.d": ["compatible"],
    "64:ff9b::/96": ["NAT64"],
    "64:ff9b:1::/48": ["NAT64 of one's own"],
    "2002::/16": ["6to4"],
    "2001::/32": ["Teredo"],
    "zone ids": ["zone", "zone, raw", "zone of loopback"],
}
"""By item: its rows of `factories/webhooks/targets.py`, each made, changed, delivered to and redirected to."""

OTHER_ATTACKS_BY_WEBHOOK: dict[str, list[tuple[str, str]]] = {
    "our own names and addresses": [
        (_NAMES + "test_our_own_name_and_its_addresses_are_refused", ""),
        (_NAMES + "test_an_address_of_this_machine_is_refused_even_when_it_is_public", ""),
    ],
    "a name with one public and one private record": [
        (_NAMES + "test_a_name_with_one_public_and_one_private_record_is_refused_whole", ""),
        (_NAMES + "test_without_the_guard_the_private_record_would_be_dialled", ""),
    ],
    "a name that changes between look-up and connection": [
        (_NAMES + "test_a_name_that_changes_between_look_up_and_connection_gets_nothing", ""),
        (_NAMES + "test_a_name_that_changes_after_it_was_checked_gets_nothing", ""),
    ],
    "301-308 to any of these": [
        (_REDIRECTED, "(301, 302, 303, 307, 308)"),
        (_TARGETS + "test_a_client_that_follows_redirects_would_touch_the_canary", ""),
    ],
    "proxy variables ignored": [(_TARGETS + "test_proxy_variables_and_netrc_are_ignored", "")],
    "without the guard": [
        (_TARGETS + "test_without_the_guard_our_own_sender_would_touch_the_canary", ""),
        (_TARGETS + "test_a_client_that_leaves_the_host_to_the_c_library_would_touch_the_canary", ""),
    ],
    "a bomb": [
        (_ANSWERS + "test_a_bomb_is_not_inflated", '"zstd"'),
        (_ANSWERS + "test_a_reader_that_inflates_would_get_50_mib_of_48_kib", ""),
    ],
    "an endless body": [
        (_ANSWERS + "test_an_endless_answer_is_cut_off", '"body"'),
        (_ANSWERS + "test_a_reader_without_a_limit_would_take_all_of_it", '"chunk size"'),
    ],
    "a bad certificate": [(_ANSWERS + "test_a_bad_certificate_is_a_failed_try_that_says_why", '"expired"')],
    "one byte a second": [(_ANSWERS + "test_one_byte_a_second_ends_at_the_deadline", '"body of a failure"')],
    "64 kB read, 1 kB kept": [(_ANSWERS + "test_of_an_answer_64_kib_are_taken_and_1_kib_is_kept", "")],
}

_HOST = "unit/worker/test_geometry_files.py::"
_CONVERTED = "unit/services/test_glb_conversion.py::"
_NOT_WRITTEN = _CONVERTED + "test_a_file_that_no_worker_writes_is_refused"

GEOMETRY: dict[str, list[tuple[str, str]]] = {
    "any bytes to the result pipe as a GLB": [
        (_HOST + "test_a_file_of_the_model_is_no_geometry", ""),
        ("integration/worker/test_hostile_models.py::test_a_forged_result_is_a_failure", '"a file"'),
    ],
    "1,000 nodes on one mesh": [
        (_HOST + "test_a_file_of_the_model_is_no_geometry", "bomb(1_000)"),
        (_CONVERTED + "test_a_mesh_with_several_nodes_is_refused_since_the_result_would_grow_with_them", ""),
    ],
    "a chain of nodes": [(_NOT_WRITTEN, '"a chain of nodes"')],
    "counts of 10^9": [
        (_HOST + "test_what_is_over_a_limit_is_refused_before_it_is_read", '"10^9 triangles"'),
        (_HOST + "test_without_the_limits_a_host_reads_whatever_is_announced", ""),
        (_NOT_WRITTEN, '"a count of 10^9"'),
    ],
    "`uri` to files": [(_NOT_WRITTEN, '"a file of the machine"')],
    "65 parts": [(_HOST + "test_what_is_over_a_limit_is_refused_before_it_is_read", '"65 parts"')],
    "conversions before another user's": [
        ("unit/services/test_conversion_turns.py::test_users_take_turns_however_many_conversions_one_of_them_wants", "")
    ],
}

ITEMS = BODIES_AND_REQUESTS | OTHER_ATTACKS_BY_WEBHOOK | GEOMETRY


@cache
def _file(path: str) -> tuple[str, frozenset[str]]:
    text = (TESTS / path).read_text()
    names = (
        node.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return text, frozenset(names)


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_of_the_list_has_its_test(item: str) -> None:
    assert ITEMS[item]
    for test, case in ITEMS[item]:
        path, _, name = test.partition("::")
        text, names = _file(path)
        assert name in names, f"{test} is gone"
        assert case in text, f"{path} has no case {case}"


def test_each_threat_of_the_guide_names_a_test_that_is_there() -> None:
    threats = table_of_guide("security", "threat")
    assert len(threats) > 15
    for threat, _, test in threats:
        path, _, name = test.strip("`").partition("::")
        assert name in _file(path)[1], f"{threat}: {test} is gone"


@pytest.mark.parametrize("item", FORBIDDEN_TARGETS)
def test_every_forbidden_target_of_the_list_is_a_row_of_the_table(item: str) -> None:
    rows = {row.name for row in ROWS}
    assert FORBIDDEN_TARGETS[item]
    assert set(FORBIDDEN_TARGETS[item]) <= rows


def test_the_table_of_targets_is_tried_at_each_place() -> None:
    for test in (
        _MADE,
        _DELIVERED,
        _REDIRECTED,
        _API + "test_no_webhook_is_made_with_or_changed_to_a_forbidden_url",
        _API + "test_what_was_allowed_once_is_not_delivered_to_when_the_setting_is_gone",
    ):
        path, _, name = test.partition("::")
        assert name in _file(path)[1], f"{test} is gone"
