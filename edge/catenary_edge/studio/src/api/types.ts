// What the Studio reads of the platform's answers, by the types that are generated from its OpenAPI document.
// Values of any JSON have the narrower type here that the document can't tell.
import type { components } from "./schema.ts";

type Schemas = components["schemas"];
/** A schema with other types of some of its fields. */
type With<Schema, Fields> = Omit<Schema, keyof Fields> & Fields;

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type Project = Pick<Schemas["Project"], "project_id" | "name" | "description" | "role" | "deployed_model_version_id" | "updated_at">;
export type Person = Schemas["UserReference"];
export type Parameter = With<Schemas["ModelParameter"], { default: Json; min: number | null; max: number | null; step: number | null; choices: Json[] }>;
export type Measured = With<Schemas["MetricValue"], { value: number | null }>;
export type Constraint = With<Schemas["ConstraintValue"], { value: number | null; limit: number | null }>;
export type Geometry = Schemas["Geometry"];
/** A file that a model gave beside its geometry. */
export type OutputFile = Pick<Schemas["EvaluationFile"], "name" | "size">;
/** A table of a model; a row may lack columns. */
export type Rows = readonly Readonly<Record<string, Json>>[];

/** A chart of a model over one of its tables. */
export type Chart = Schemas["Chart"];

/** What a model gave for a design, of a stored evaluation and of a live session alike. */
export interface Outcome extends Pick<Schemas["Evaluation"], "status" | "error" | "duration_ms" | "charts"> {
  parameters: Record<string, Json>;
  metrics: Record<string, Measured>;
  constraints: Record<string, Constraint>;
  tables: Record<string, Rows>;
  files: readonly OutputFile[];
}

export type Evaluation = With<Schemas["Evaluation"], Omit<Outcome, "files">>;
export type Batch = Schemas["Batch"];
export type Study = Schemas["Study"];
export type Plan = Pick<Schemas["Plan"], "plan_id">;
/** What the inputs of a sensitivity count for one objective. */
export type StudyIndices = Schemas["StudyIndices"];
export type StudyIndex = Schemas["StudyIndex"];
export type StudyObjective = Schemas["StudyObjective"];
export type StudyResult = With<Schemas["StudyResult"], Pick<Outcome, "parameters" | "metrics" | "constraints">>;
export type View = Schemas["View"];
/** A chart of many designs, and a filter of them. */
export type ViewChart = Schemas["ViewChart"];
export type ViewFilter = Schemas["ViewFilter"];
export type ViewControl = Schemas["ViewControl"];
/** Settings of the 3D view. */
export type ViewerSettings = Schemas["ViewerSettings"];
export type Variant = With<Schemas["Variant"], { evaluation: Evaluation }>;
export type Camera = Schemas["Camera"];
/** A place in metres, with Z up as the model gives it. */
export type Anchor = With<Schemas["CommentAnchor"], { x: number; y: number; z: number }>;
export type Comment = With<Schemas["Comment"], { anchor: Anchor | null }>;
export type Member = Schemas["ProjectMember"];
export type Share = Schemas["Share"];
/** What a share link shows. */
export type Linked = Schemas["LinkedShare"];
export type Invitation = Schemas["Invitation"];
/** A person that was found by a search. */
export type Found = Pick<Schemas["User"], "user_id" | "staff_name" | "email">;
export type Notification = Schemas["Notification"];
/** A file of a project, which a parameter may take. */
export type ProjectFile = Pick<Schemas["File"], "file_id" | "name" | "size" | "value">;
export type Team = Schemas["Team"];
type Item = With<Schemas["ComparedItem"], { value: Json; difference: number | null }>;
export type Compared = With<Schemas["ComparedValue"], { items: Item[] }>;
export type Comparison = With<Schemas["VariantComparison"], { parameters: Compared[]; metrics: Compared[] }>;
export type StudioConfig = Schemas["StudioConfig"];
export type Token = Pick<Schemas["IssueTokenResponse"], "access_token" | "expires_in">;
export type Model = Pick<Schemas["Model"], "model_id" | "name" | "created_at">;
/** Why a version or a deployment failed. */
export type ModelError = Schemas["ModelError"];
export type ModelVersion = With<Schemas["ModelVersion"], { parameters: Parameter[] }>;
export type Deployment = Schemas["Deployment"];
