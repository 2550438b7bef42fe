"""Search for users: what every caller may see, and what an Admin sees."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from catenary.platform.v1 import user_service_pb2
from catenary_core.database.statements import Statement
from factories.services.identity import IdentityService
from factories.services.people import add_user, delete_user
from factories.services.refusals import refusal

_RENAME = Statement(sa.text("UPDATE identity.\"user\" SET staff_name = 'Özlem Ångström' WHERE staff_name = 'oe'"))


async def _found(identity: IdentityService, token: str, search: str, **fields: object) -> list[dict[str, object]]:
    request = user_service_pb2.ListUsersRequest(search=search, **fields)
    answer = (await identity.call("User", "ListUsers", request, token)).body
    return list(answer["users"])


async def _names(identity: IdentityService, token: str, search: str) -> list[object]:
    return [user["staff_name"] for user in await _found(identity, token, search)]


async def test_any_user_finds_people_by_a_part_of_name_or_address_and_sees_no_more_of_them(
    identity: IdentityService,
) -> None:
    token = await identity.token("robot")
    robin = await add_user(identity.frame.db, "robin")
    (found,) = await _found(identity, token, "ROBI")
    shown = {name: value for name, value in found.items() if value is not None}
    told = {"user_id": robin.user_id, "staff_name": "robin", "email": "robin@example.com", "email_verified": True}
    assert shown == told
    assert list(found) == [field.name for field in user_service_pb2.GetMeResponse().user.DESCRIPTOR.fields]
    assert await _names(identity, token, "n@Exam") == ["robin"]
    assert await _names(identity, token, "obo") == ["robot"], "a client by its name"
    await delete_user(identity.frame.db, robin)
    assert await _names(identity, token, "robin") == []


async def test_letters_are_equal_in_upper_and_lower_case_in_every_script_and_no_character_has_a_meaning(
    identity: IdentityService,
) -> None:
    token = await identity.token("robot")
    await add_user(identity.frame.db, "oe")
    await add_user(identity.frame.db, "100%_\\")
    async with identity.frame.db.transaction() as tx:
        await tx.execute(_RENAME)
    assert await _names(identity, token, "öZLEM å") == ["Özlem Ångström"]
    assert await _names(identity, token, "0%_\\") == ["100%_\\"]
    assert await _names(identity, token, "%%%") == []


async def test_an_exact_address_comes_first_and_at_most_twenty_are_given(identity: IdentityService) -> None:
    token = await identity.token("robot")
    for number in range(25):
        await add_user(identity.frame.db, f"a{number:02}ann")
    ann = await add_user(identity.frame.db, "ann")
    found = await _found(identity, token, "ann@example.com", limit=200)
    assert len(found) == 20
    assert found[0]["user_id"] == ann.user_id
    assert len(await _found(identity, token, "ann@example.com", limit=3)) == 3


@pytest.mark.parametrize("search", ["", "ab", "a" * 321])
async def test_a_search_of_a_wrong_length_is_refused_without_its_text(identity: IdentityService, search: str) -> None:
    token = await identity.token("robot")
    refused = await refusal(_found(identity, token, search))
    assert (refused.reason, refused.details["parameter"], refused.details["value"]) == (
        "VALIDATION_ERROR",
        "search",
        None,
    )


async def test_without_a_search_the_list_is_for_admins_and_a_cursor_too(identity: IdentityService) -> None:
    token = await identity.token("robot")
    request = user_service_pb2.ListUsersRequest()
    refused = await refusal(identity.call("User", "ListUsers", request, token))
    assert refused.reason == "PERMISSION_DENIED"
    assert "search" in refused.message
    boss = await identity.token("boss", admin=True)
    request = user_service_pb2.ListUsersRequest(limit=1)
    cursor = (await identity.call("User", "ListUsers", request, boss)).body["next_cursor"]
    stolen = await refusal(_found(identity, token, "robot", cursor=cursor))
    assert (stolen.reason, stolen.details["parameter"]) == ("VALIDATION_ERROR", "cursor")


async def test_an_admin_finds_whole_records_page_by_page(identity: IdentityService) -> None:
    boss = await identity.token("boss", admin=True)
    for number in range(3):
        await add_user(identity.frame.db, f"ann{number}")
    await add_user(identity.frame.db, "bob")
    names, cursor = [], ""
    while cursor is not None:
        request = user_service_pb2.ListUsersRequest(search="ANN", limit=2, cursor=cursor)
        answer = (await identity.call("User", "ListUsers", request, boss)).body
        names += [user["staff_name"] for user in answer["users"]]
        assert all(user["staff_id"] and user["admin"] is False and user["created_at"] for user in answer["users"])
        cursor = answer["next_cursor"]
    assert names == ["ann0", "ann1", "ann2"]
