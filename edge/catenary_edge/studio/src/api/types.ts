// What the Studio reads of the platform's answers (see /openapi/platform/v1.json); unknown fields are passed over.

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export interface Project {
  project_id: string;
  name: string;
  description: string;
  role: "owner" | "editor" | "evaluator" | "viewer";
  deployed_model_version_id: string | null;
  updated_at: string;
}

export interface Parameter {
  name: string;
  label: string;
  type: "number" | "integer" | "boolean" | "string" | "choice" | "color" | "date" | "point" | "table" | "file";
  default: Json;
  min: number | null;
  max: number | null;
  step: number | null;
  choices: Json[];
  unit: string | null;
  group: string | null;
  description: string;
  show_if: string | null;
}

export interface Measured {
  value: number | null;
  unit: string | null;
}

export interface Constraint {
  value: number | null;
  satisfied: boolean;
  metric?: string | null;
  op?: string | null;
  limit?: number | null;
  unit?: string | null;
}

export interface Geometry {
  name: string;
  format: string;
  url: string;
  size: number | null;
  sha256: string | null;
  unit: string | null;
}

/** A file that a model gave beside its geometry. */
export interface OutputFile {
  name: string;
  size: number;
}

/** A table of a model; a row may lack columns. */
export type Rows = readonly Readonly<Record<string, Json>>[];

/** What a model gave for a design, of a stored evaluation and of a live session alike. */
export interface Outcome {
  status: "queued" | "running" | "completed" | "failed" | "timed_out" | "cancelled";
  parameters: Record<string, Json>;
  metrics: Record<string, Measured>;
  constraints: Record<string, Constraint>;
  tables: Record<string, Rows>;
  files: readonly OutputFile[];
  error: { code: string; message: string; line?: number | null } | null;
  duration_ms: number | null;
}

export interface Evaluation extends Outcome {
  evaluation_id: string;
  model_version_id: string;
  geometry: Geometry[];
  files: readonly (OutputFile & { url: string })[];
  cached: boolean;
  created_by: Person | null;
  created_at: string;
  /** What the model printed; null for nothing. */
  log: string | null;
  progress?: { fraction: number; message: string } | null;
}

export interface Variant {
  variant_id: string;
  name: string;
  note: string;
  status: "evaluating" | "ready" | "failed";
  evaluation: Evaluation;
  /** The picture; null while there is none. */
  thumbnail: { url: string; size: number | null } | null;
  created_by: Person | null;
  created_at: string;
}

export interface Person {
  user_id: string;
  staff_name: string;
}

export interface Camera {
  position: number[];
  target: number[];
  up: number[];
  projection: "perspective" | "orthographic";
  fov_degrees: number | null;
  height: number | null;
}

/** A place in metres, with Z up as the model gives it. */
export interface Anchor {
  x: number;
  y: number;
  z: number;
  geometry: string;
  part: string;
}

export interface Comment {
  comment_id: string;
  variant_id: string | null;
  parent_id: string | null;
  content: string;
  anchor: Anchor | null;
  camera: Camera | null;
  mentions: string[];
  resolved: boolean;
  resolved_by: Person | null;
  created_by: Person | null;
  created_at: string;
  updated_at: string;
}

export interface Member {
  user_id: string | null;
  team_id: string | null;
  name: string;
  role: Project["role"];
  expires_at: string | null;
  share_id: string | null;
}

export interface Share {
  share_id: string;
  kind: "user" | "team" | "link";
  name: string | null;
  role: Project["role"];
  variant_id: string | null;
  expires_at: string | null;
  created_at: string;
}

/** What a share link shows. */
export interface Linked {
  project_id: string;
  variant_id: string | null;
  expires_at: string | null;
}

export interface Invitation {
  invitation_id: string;
  email: string;
  staff_name: string;
  role: Project["role"];
  status: "open" | "taken" | "revoked" | "expired";
  expires_at: string;
}

/** A person that was found by a search. */
export interface Found extends Person {
  email: string;
}

export interface Team {
  team_id: string;
  name: string;
}

export interface Compared {
  name: string;
  differs: boolean;
  items: { value: Json; unit: string | null; difference: number | null }[];
}

export interface Comparison {
  variants: { variant_id: string; name: string }[];
  parameters: Compared[];
  metrics: Compared[];
}

export interface StudioConfig {
  demo: boolean;
  version: string;
}

export interface Token {
  access_token: string;
  expires_in: number;
}

export interface Model {
  model_id: string;
  name: string;
  created_at: string;
}

/** Why a version or a deployment failed. */
export interface ModelError {
  code: string;
  message: string;
  line: number | null;
}

export interface ModelVersion {
  model_version_id: string;
  model_id: string;
  /** Counted from 1 within the model. */
  number: number;
  status: "uploaded" | "checking" | "ready" | "failed";
  kind: "python" | "zip" | "openscad";
  size: number;
  /** Whether two evaluations of the defaults agreed; null before the check. */
  deterministic: boolean | null;
  error: ModelError | null;
  /** Remarks of the check on what works but looks mistaken. */
  warnings: string[];
  parameters: Parameter[];
  created_by: Person | null;
  created_at: string;
}

export interface Deployment {
  deployment_id: string;
  model_id: string;
  model_version_id: string;
  status: "pending" | "active" | "retired" | "failed";
  error: ModelError | null;
  created_by: Person | null;
  created_at: string;
}
