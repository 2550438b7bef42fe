"""The tables of the baseline as classes of SQLAlchemy's ORM, with the properties that its answers are read from."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, Column, DateTime, ForeignKey, Table, func
from sqlalchemy.dialects import postgresql
from sqlalchemy.orm import DeclarativeBase, Mapped, foreign, mapped_column, relationship, remote


class Base(DeclarativeBase):
    type_annotation_map = {datetime: DateTime(timezone=True)}


class Timed:
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    updated_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    deleted_at: Mapped[datetime | None]


class User(Base):
    __tablename__ = "user"
    __table_args__ = {"schema": "identity"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    staff_name: Mapped[str]
    email: Mapped[str]
    deleted_at: Mapped[datetime | None]


class Project(Base):
    __tablename__ = "project"
    __table_args__ = {"schema": "environment"}
    project_id: Mapped[UUID] = mapped_column(primary_key=True)
    confidential: Mapped[bool]
    created_by: Mapped[UUID]


class LinkedUser(Base):
    __tablename__ = "linked_user"
    __table_args__ = {"schema": "projects"}
    environment_project_id: Mapped[UUID] = mapped_column(primary_key=True)
    user_id: Mapped[UUID] = mapped_column(primary_key=True)


class SourceType(Timed, Base):
    __tablename__ = "source_type"
    __table_args__ = {"schema": "reference"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    visible: Mapped[bool]


class Source(Timed, Base):
    __tablename__ = "source"
    __table_args__ = {"schema": "reference"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    source_type_id: Mapped[UUID] = mapped_column(ForeignKey(SourceType.id))
    title: Mapped[str]
    reference: Mapped[str | None]
    url: Mapped[str | None]
    date_day: Mapped[str | None]
    date_month: Mapped[str | None]
    date_year: Mapped[str | None]
    time: Mapped[str | None]
    reference_id: Mapped[UUID | None]
    reference_table: Mapped[str | None]
    reference_url: Mapped[str | None]
    scope: Mapped[str | None]
    source_type: Mapped[SourceType] = relationship()


class Unit(Timed, Base):
    __tablename__ = "unit"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    symbol: Mapped[str]
    unit_type_id: Mapped[UUID] = mapped_column(ForeignKey("parameter.unit_type.id"))
    unit_system_id: Mapped[UUID]


class UnitType(Timed, Base):
    __tablename__ = "unit_type"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    units: Mapped[list[Unit]] = relationship(
        primaryjoin=lambda: (UnitType.id == foreign(Unit.unit_type_id)) & Unit.deleted_at.is_(None),
        order_by=lambda: (Unit.symbol, Unit.id),
        viewonly=True,
    )


class ParameterType(Timed, Base):
    __tablename__ = "parameter_type"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    data_type: Mapped[str]
    global_parameter: Mapped[bool]
    unit_type_id: Mapped[UUID | None] = mapped_column(ForeignKey(UnitType.id))
    default_unit_id: Mapped[UUID | None] = mapped_column(ForeignKey(Unit.id))
    unit_type: Mapped[UnitType | None] = relationship()
    default_unit: Mapped[Unit | None] = relationship()

    @property
    def units(self) -> list[Unit]:
        return self.unit_type.units if self.unit_type else []


class AssetTypeGroup(Timed, Base):
    __tablename__ = "asset_type_group"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]


class AssetType(Timed, Base):
    __tablename__ = "asset_type"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    asset_type_group_id: Mapped[UUID | None] = mapped_column(ForeignKey(AssetTypeGroup.id))
    parent_id: Mapped[UUID | None]
    asset_sub_type: Mapped[bool]
    asset_type_group: Mapped[AssetTypeGroup | None] = relationship()


class AssetSubType(Timed, Base):
    __tablename__ = "asset_sub_type"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    asset_type_id: Mapped[UUID]
    parent_asset_sub_type_id: Mapped[UUID | None]


class Asset(Timed, Base):
    __tablename__ = "asset"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    project_id: Mapped[UUID]
    parent_id: Mapped[UUID | None] = mapped_column(ForeignKey("parameter.asset.id"))
    name: Mapped[str]
    asset_type_id: Mapped[UUID] = mapped_column(ForeignKey(AssetType.id))
    asset_sub_type_id: Mapped[UUID | None] = mapped_column(ForeignKey(AssetSubType.id))
    asset_type: Mapped[AssetType] = relationship()
    asset_sub_type: Mapped[AssetSubType | None] = relationship()
    below: Mapped[list[Asset]] = relationship(
        primaryjoin=lambda: (Asset.id == foreign(remote(Asset.parent_id))) & remote(Asset.deleted_at).is_(None),
        order_by=lambda: (Asset.created_at, Asset.id),
        viewonly=True,
    )

    @property
    def children(self) -> list[UUID]:
        return [asset.id for asset in self.below]


parameter_parent = Table(
    "parameter_parent",
    Base.metadata,
    Column("parameter_id", postgresql.UUID, ForeignKey("parameter.parameter.id"), primary_key=True),
    Column("asset_id", postgresql.UUID, ForeignKey(Asset.id), primary_key=True),
    schema="parameter",
)


class Revision(Base):
    __tablename__ = "revision"
    __table_args__ = {"schema": "parameter"}
    revision_id: Mapped[UUID] = mapped_column(primary_key=True)
    entry_id: Mapped[UUID] = mapped_column(ForeignKey("parameter.entry.entry_id"))
    project_id: Mapped[UUID]
    status: Mapped[str]
    value_id: Mapped[UUID]
    value: Mapped[Any] = mapped_column(JSON)
    unit_id: Mapped[UUID | None] = mapped_column(ForeignKey(Unit.id))
    source_id: Mapped[UUID] = mapped_column(ForeignKey(Source.id))
    comment: Mapped[str | None]
    location_in_source: Mapped[str | None]
    created_by: Mapped[UUID] = mapped_column(ForeignKey(User.id))
    created_at: Mapped[datetime] = mapped_column(server_default=func.clock_timestamp())
    unit: Mapped[Unit | None] = relationship()
    source: Mapped[Source] = relationship()
    creator: Mapped[User | None] = relationship()

    @property
    def values(self) -> list[Revision]:
        return [self]


class Entry(Timed, Base):
    __tablename__ = "entry"
    __table_args__ = {"schema": "parameter"}
    entry_id: Mapped[UUID] = mapped_column(primary_key=True)
    parameter_id: Mapped[UUID] = mapped_column(ForeignKey("parameter.parameter.id"))
    project_id: Mapped[UUID]
    revision_id: Mapped[UUID]


class Parameter(Timed, Base):
    __tablename__ = "parameter"
    __table_args__ = {"schema": "parameter"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    project_id: Mapped[UUID]
    parameter_type_id: Mapped[UUID] = mapped_column(ForeignKey(ParameterType.id))
    parent_ids: Mapped[list[UUID]] = mapped_column(postgresql.ARRAY(postgresql.UUID))
    entry_id: Mapped[UUID | None]
    revision_id: Mapped[UUID | None] = mapped_column(ForeignKey(Revision.revision_id))
    status: Mapped[str | None]
    unit_id: Mapped[UUID | None]
    source_id: Mapped[UUID | None]
    created_by: Mapped[UUID] = mapped_column(ForeignKey(User.id))
    parents: Mapped[list[Asset]] = relationship(secondary=parameter_parent, order_by=Asset.id, viewonly=True)
    parameter_type: Mapped[ParameterType] = relationship()
    creator: Mapped[User | None] = relationship()
    selected_entry: Mapped[Revision | None] = relationship(viewonly=True)


class Event(Base):
    __tablename__ = "event"
    __table_args__ = {"schema": "events"}
    id: Mapped[UUID] = mapped_column(primary_key=True)
    type: Mapped[str]
    environment_project_id: Mapped[UUID | None]
    actor_id: Mapped[UUID | None]
    subject: Mapped[str]
    data: Mapped[Any] = mapped_column(JSON)
