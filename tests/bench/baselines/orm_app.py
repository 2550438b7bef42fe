"""Baseline: FastAPI, SQLAlchemy's ORM (async, psycopg), pydantic models, uvicorn, as their documentation teaches.

It serves GET /parameter/v1/parameters, GET /parameter/v1/parameters/{id} and PUT /parameter/v1/entries on Catenary's tables with
the same answers and rules. Run it with `uvicorn orm_app:app --workers 2`.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import orjson
import uuid_utils.compat
from fastapi import Depends, FastAPI, HTTPException, Query, Request, Security
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from orm_tables import (
    Asset,
    AssetType,
    Base,
    Entry,
    Event,
    LinkedUser,
    Parameter,
    ParameterType,
    Project,
    Revision,
    Source,
    Unit,
    UnitType,
    User,
)
from psycopg.conninfo import conninfo_to_dict
from pydantic import BaseModel, ConfigDict, Field
from shared import (
    DSN_VARIABLE,
    EXACT_COUNT,
    MAX_CONNECTIONS,
    Caller,
    any_twice,
    caller_of,
    cursor_of,
    fits,
    page_url,
    place_of,
)
from sqlalchemy import ColumnElement, Select, and_, func, literal, or_, select, text, tuple_
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import joinedload, load_only, selectinload

engine = create_async_engine(
    "postgresql+psycopg://",
    connect_args=conninfo_to_dict(os.environ[DSN_VARIABLE], options="-c timezone=UTC"),
    pool_size=MAX_CONNECTIONS,
    json_serializer=lambda value: orjson.dumps(value).decode(),
    json_deserializer=orjson.loads,
)
sessions = async_sessionmaker(engine, expire_on_commit=False)


@asynccontextmanager
async def lifespan(_: FastAPI) -> AsyncIterator[None]:
    yield
    await engine.dispose()


app = FastAPI(lifespan=lifespan)


class Model(BaseModel):
    model_config = ConfigDict(from_attributes=True)


class Creator(Model):
    staff_name: str
    email: str


class UnitReference(Model):
    id: UUID
    symbol: str
    unit_type_id: UUID
    unit_system_id: UUID


class UnitTypeReference(Model):
    id: UUID
    name: str


class ParameterTypeModel(Model):
    id: UUID
    name: str
    data_type: str
    global_parameter: bool
    unit_type: UnitTypeReference | None
    default_unit: UnitReference | None
    units: list[UnitReference]
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class AssetTypeGroupModel(Model):
    id: UUID
    name: str
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class ParentAssetType(Model):
    id: UUID
    name: str
    asset_type_group: AssetTypeGroupModel | None
    parent_id: UUID | None
    asset_sub_type: bool
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class AssetSubTypeModel(Model):
    id: UUID
    name: str
    asset_type_id: UUID
    parent_asset_sub_type_id: UUID | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class Parent(Model):
    id: UUID
    project_id: UUID
    parent: UUID | None = Field(validation_alias="parent_id")
    children: list[UUID]
    name: str
    asset_type: ParentAssetType
    asset_sub_type: AssetSubTypeModel | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class Value(Model):
    id: UUID = Field(validation_alias="value_id")
    value: Any
    unit: UnitReference | None


class ReducedSourceType(Model):
    id: UUID
    name: str


class ReducedSource(Model):
    id: UUID
    created_at: datetime
    date_day: str | None
    date_month: str | None
    date_year: str | None
    reference: str | None
    title: str
    url: str | None
    source_type: ReducedSourceType


class SelectedEntry(Model):
    entry_id: UUID
    revision_id: UUID
    status: str
    values: list[Value]
    source: ReducedSource
    created_by: Creator | None = Field(validation_alias="creator")
    created_at: datetime


class ParameterModel(Model):
    id: UUID
    project_id: UUID
    parents: list[Parent]
    parameter_type: ParameterTypeModel
    created_by: Creator | None = Field(validation_alias="creator")
    selected_entry: SelectedEntry | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class Cursors(Model):
    before: str | None
    after: str | None


class Paging(Model):
    cursors: Cursors
    previous: str | None
    next: str | None


class Summary(Model):
    estimate_count: int


class ParameterPage(Model):
    parameters: list[ParameterModel]
    paging: Paging
    summary: Summary


class ParameterAnswer(Model):
    parameter: ParameterModel


class SourceTypeModel(Model):
    id: UUID
    name: str
    visible: bool
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class SourceModel(Model):
    id: UUID
    source_type: SourceTypeModel
    source_type_id: UUID
    title: str
    reference: str | None
    url: str | None
    date_day: str | None
    date_month: str | None
    date_year: str | None
    time: str | None
    reference_id: UUID | None
    reference_table: str | None
    reference_url: str | None
    scope: str | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class EntryModel(Model):
    entry_id: UUID
    parameter_id: UUID
    revision_id: UUID
    status: str
    values: list[Value]
    source: SourceModel
    comment: str | None
    location_in_source: str | None
    created_by: Creator | None
    created_at: datetime
    updated_at: datetime
    deleted_at: datetime | None


class NewValue(BaseModel):
    model_config = ConfigDict(extra="forbid")
    value: Any
    unit_id: UUID | None = None


class NewEntry(BaseModel):
    model_config = ConfigDict(extra="forbid")
    parameter_id: UUID
    entry_id: UUID
    source_id: UUID
    values: list[NewValue] = Field(min_length=1, max_length=1)
    comment: str | None = None
    location_in_source: str | None = None


class NewEntries(BaseModel):
    model_config = ConfigDict(extra="forbid")
    entries: list[NewEntry] = Field(min_length=1, max_length=1000)


class EntriesAnswer(Model):
    entries: list[EntryModel]


def caller(given: Annotated[HTTPAuthorizationCredentials, Security(HTTPBearer())]) -> Caller:
    found = caller_of(f"{given.scheme} {given.credentials}")
    if found is None:
        raise HTTPException(401, "Send a token.")
    return found


async def session() -> AsyncIterator[AsyncSession]:
    async with sessions() as opened:
        yield opened


CallerOf = Annotated[Caller, Depends(caller)]
Session = Annotated[AsyncSession, Depends(session)]


def visible(who: Caller) -> ColumnElement[bool]:
    """Return the condition for parameters of projects that the caller may see."""
    hidden = select(Project.project_id).where(
        Project.confidential,
        ~literal(who.admin),
        Project.created_by != who.user_id,
        ~select(LinkedUser)
        .where(LinkedUser.environment_project_id == Project.project_id, LinkedUser.user_id == who.user_id)
        .exists(),
    )
    return and_(
        or_(Parameter.project_id.is_(None), Parameter.project_id.not_in(hidden)), Parameter.deleted_at.is_(None)
    )


def with_everything(statement: Select[tuple[Parameter]]) -> Select[tuple[Parameter]]:
    """Add the loading of an answer's related rows: joins for single rows, a statement of its own for lists."""
    type_ = joinedload(Parameter.parameter_type)
    latest = joinedload(Parameter.selected_entry)
    parents = selectinload(Parameter.parents)
    return statement.options(
        joinedload(Parameter.creator),
        type_.joinedload(ParameterType.unit_type).selectinload(UnitType.units),
        type_.joinedload(ParameterType.default_unit),
        latest.joinedload(Revision.unit),
        latest.joinedload(Revision.creator),
        latest.joinedload(Revision.source).joinedload(Source.source_type),
        parents.joinedload(Asset.asset_type).joinedload(AssetType.asset_type_group),
        parents.joinedload(Asset.asset_sub_type),
        parents.selectinload(Asset.below).load_only(Asset.id),
    )


@app.get("/parameter/v1/parameters")
async def list_parameters(
    request: Request,
    db: Session,
    who: CallerOf,
    page_limit: Annotated[int, Query(ge=1, le=1000)] = 100,
    after: str | None = None,
) -> ParameterPage:
    place = tuple_(Parameter.created_at, Parameter.id)
    allowed = visible(who)
    statement = with_everything(select(Parameter)).where(allowed)
    if after is not None:
        try:
            created_at, id_ = place_of(after)
        except ValueError as error:
            raise HTTPException(400, str(error)) from None
        statement = statement.where(place > tuple_(literal(datetime.fromisoformat(created_at)), literal(UUID(id_))))
    statement = statement.order_by(Parameter.created_at, Parameter.id).limit(page_limit + 1)
    rows = list(await db.scalars(statement))
    more, rows = len(rows) > page_limit, rows[:page_limit]
    behind = False
    if after is not None and rows:
        first = tuple_(literal(rows[0].created_at), literal(rows[0].id))
        before_it = select(Parameter.id).where(allowed, place < first)
        order = (Parameter.created_at.desc(), Parameter.id.desc())
        behind = await db.scalar(before_it.order_by(*order).limit(1)) is not None
    before, after = (cursor(rows[0]), cursor(rows[-1])) if rows else (None, None)
    host = request.headers["host"]
    return ParameterPage(
        parameters=[ParameterModel.model_validate(row) for row in rows],
        paging=Paging(
            cursors=Cursors(before=before, after=after),
            previous=page_url(host, page_limit, "before", before if behind else None),
            next=page_url(host, page_limit, "after", after if more else None),
        ),
        summary=Summary(estimate_count=await count(db, allowed)),
    )


def cursor(row: Parameter) -> str:
    moment = row.created_at.isoformat().removesuffix("+00:00")
    return cursor_of((moment.rstrip("0") if "." in moment else moment) + "Z", row.id)


async def count(db: AsyncSession, allowed: ColumnElement[bool]) -> int:
    """Count the parameters: exact up to a limit, else the planner's guess."""
    some = select(literal(1)).select_from(Parameter).where(allowed)
    exact = await db.scalar(select(func.count()).select_from(some.limit(EXACT_COUNT + 1).subquery())) or 0
    if exact <= EXACT_COUNT:
        return exact
    plain = some.compile(dialect=postgresql.dialect(), compile_kwargs={"literal_binds": True})
    plan = await db.scalar(text(f"EXPLAIN (FORMAT JSON) {plain}"))
    return max(exact, plan[0]["Plan"]["Plan Rows"])


@app.get("/parameter/v1/parameters/{parameter_id}")
async def get_parameter(parameter_id: UUID, db: Session, who: CallerOf) -> ParameterAnswer:
    statement = with_everything(select(Parameter)).where(Parameter.id == parameter_id, visible(who))
    parameter = await db.scalar(statement)
    if parameter is None:
        raise HTTPException(404, "There is no such parameter.")
    return ParameterAnswer(parameter=ParameterModel.model_validate(parameter))


@app.put("/parameter/v1/entries")
async def put_entries(body: NewEntries, db: Session, who: CallerOf) -> EntriesAnswer:
    if any_twice((item.parameter_id, item.entry_id) for item in body.entries):
        raise HTTPException(409, "Name each parameter and each entry once.")
    async with db.begin():
        items = sorted(body.entries, key=lambda item: item.parameter_id)
        return EntriesAnswer(entries=[await put_entry(db, who, item) for item in items])


async def put_entry(db: AsyncSession, who: Caller, item: NewEntry) -> EntryModel:
    held = select(Parameter).where(Parameter.id == item.parameter_id, visible(who))
    loaded = held.options(
        load_only(Parameter.project_id, Parameter.parameter_type_id, Parameter.entry_id, Parameter.revision_id),
        selectinload(Parameter.parameter_type).load_only(ParameterType.data_type, ParameterType.unit_type_id),
    )
    parameter = await db.scalar(loaded.with_for_update(key_share=True, of=Parameter))
    if parameter is None:
        raise HTTPException(400, "There is no such parameter.")
    if parameter.entry_id not in (None, item.entry_id):
        raise HTTPException(409, "The parameter has another entry.")
    value, unit_id = item.values[0].value, item.values[0].unit_id
    kind = parameter.parameter_type
    if not fits(value, kind.data_type):
        raise HTTPException(400, f"The value is no {kind.data_type}.")
    unit = await db.get(Unit, unit_id) if unit_id else None
    source = await db.get(Source, item.source_id, options=[joinedload(Source.source_type)])
    fitting = unit is not None and unit.unit_type_id == kind.unit_type_id and unit.deleted_at is None
    if source is None or source.deleted_at or not (fitting or unit_id is kind.unit_type_id is None):
        raise HTTPException(400, "The unit or the source doesn't fit.")
    if parameter.entry_id is None:
        revision, entry = (
            None,
            Entry(entry_id=item.entry_id, parameter_id=parameter.id, project_id=parameter.project_id),
        )
        if await db.get(Entry, item.entry_id) is not None:
            raise HTTPException(409, "The entry's id is taken.")
        db.add(entry)
    else:
        revision = await db.get_one(Revision, parameter.revision_id)
        entry = await db.get_one(Entry, parameter.entry_id)
    new = {
        "value": value,
        "unit_id": unit_id,
        "source_id": item.source_id,
        "comment": item.comment,
        "location_in_source": item.location_in_source,
    }
    changed = (
        revision is None
        or revision.status == "rejected"
        or any(getattr(revision, name) != content for name, content in new.items())
    )
    created = revision is None
    if revision is None or changed:
        ids = {"revision_id": uuid_utils.compat.uuid7(), "value_id": uuid_utils.compat.uuid7()}
        ids |= {"entry_id": item.entry_id, "project_id": parameter.project_id}
        revision = Revision(**ids, status="answered", created_by=who.user_id, **new)
        entry.revision_id = parameter.revision_id = revision.revision_id
        entry.updated_at = func.clock_timestamp()
        parameter.entry_id, parameter.status = item.entry_id, "answered"
        parameter.unit_id, parameter.source_id = unit_id, item.source_id
        db.add(revision)
        await db.flush()
        await db.refresh(entry)
    maker = await db.get(User, revision.created_by)
    answer = EntryModel(
        entry_id=entry.entry_id,
        parameter_id=entry.parameter_id,
        revision_id=revision.revision_id,
        status=revision.status,
        values=[Value(value_id=revision.value_id, value=value, unit=unit and UnitReference.model_validate(unit))],
        source=SourceModel.model_validate(source),
        comment=revision.comment,
        location_in_source=revision.location_in_source,
        created_by=maker and Creator.model_validate(maker),
        created_at=entry.created_at,
        updated_at=entry.updated_at,
        deleted_at=entry.deleted_at,
    )
    if changed:
        data = answer.model_dump(mode="json", exclude={"created_by", "comment"})
        type_ = f"parameter.entry.{'created' if created else 'updated'}"
        subject = f"/parameter/v1/entries/{entry.entry_id}"
        id_ = uuid_utils.compat.uuid7()
        of = {"actor_id": who.user_id, "environment_project_id": parameter.project_id}
        db.add(Event(id=id_, type=type_, **of, subject=subject, data={"entry": data}))
    return answer


Base.registry.configure()
