// The models of a project: their versions, what became of their checks, and which version is deployed.
import { ApiError, type Page } from "../api/client.ts";
import type { Deployment, Model, ModelVersion } from "../api/types.ts";
import { modelNames as texts } from "../texts/models.ts";
import { pauseAfter } from "./again.ts";
import { Fresh } from "./fresh.ts";
import { CLOCK, type Clock } from "./live.ts";
import { Paged } from "./paged.ts";
import { faultOf, modelName, requestKey, typeOf } from "./upload.ts";

type Which = Pick<ModelVersion, "model_id" | "model_version_id">;

/** The calls of the API that models need. */
export interface ModelCalls {
  models(): Promise<Model[]>;
  create(name: string): Promise<Model>;
  rename(modelId: string, name: string): Promise<Model>;
  removeModel(modelId: string): Promise<unknown>;
  /** Lists the versions of a model, newest first. */
  versions(modelId: string): Promise<ModelVersion[]>;
  /** Sends a file; the same key again gets the first answer. */
  upload(modelId: string, file: Blob, type: string, key: string): Promise<ModelVersion>;
  /** Reads a version, when its check is done or after so many seconds. */
  version(one: Which, seconds: number): Promise<ModelVersion>;
  removeVersion(one: Which): Promise<unknown>;
  source(one: Which): Promise<ArrayBuffer>;
  /** Returns what the check printed. */
  log(one: Which): Promise<string>;
  /** Lists a page of deployments, newest first. */
  deployments(cursor: string | null): Promise<Page<Deployment>>;
  deploy(modelVersionId: string): Promise<Deployment>;
  /** Ends the active deployment. */
  undeploy(): Promise<Deployment>;
}

/** A file on its way to be a version. It is kept when it could not be sent, to be sent again. */
export interface Sending {
  file: File;
  /** Id of its model; null for a new one of the file's name. */
  modelId: string | null;
  /** Whether the version is deployed when its check succeeds. */
  deploys: boolean;
  key: string;
}

/** Seconds for which a look at a version waits for its check: at first, and at most. */
const [FIRST_WAIT, LONGEST_WAIT] = [1, 16];
const OVER = new Set([401, 403, 404]);

/** Tell whether the check of a version is done. */
export function isChecked({ status }: ModelVersion): boolean {
  return status === "ready" || status === "failed";
}

/** Tell whether the same request may succeed later: the network, a busy server, an hourly limit, or its first sending that still runs. */
function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500 || error.code === "IDEMPOTENCY_IN_PROGRESS");
}

/** Keeps lists as the server has them. A call that fails throws, and leaves them as they were. */
export class Models {
  list: readonly Model[] = [];
  /** The file that is being sent, or that could not be sent. */
  sending: Sending | null = null;
  private readonly byModel = new Map<string, readonly ModelVersion[]>();
  private readonly models: Fresh<Model[]>;
  private readonly deployed: Paged<Deployment>;
  private readonly versions = new Map<string, Fresh<ModelVersion[]>>();
  private readonly watched = new Map<string, Promise<void>>();
  private isClosed = false;

  constructor(
    private readonly calls: ModelCalls,
    /** Called when something has changed beside what the caller asks for. */
    private readonly changed: () => void,
    private readonly clock: Clock = CLOCK,
  ) {
    this.models = new Fresh(() => calls.models(), (list) => (this.list = list));
    this.deployed = new Paged((cursor) => calls.deployments(cursor), (one) => one.deployment_id);
  }

  /** The deployments that were read, newest first. */
  get deployments(): readonly Deployment[] {
    return this.deployed.list;
  }

  /** The deployment whose version the project evaluates; null without one. */
  get active(): Deployment | null {
    return this.deployments.find((one) => one.status === "active") ?? null;
  }

  get hasOlderDeployments(): boolean {
    return this.deployed.hasMore;
  }

  /** Return the versions of a model, newest first. */
  versionsOf(modelId: string): readonly ModelVersion[] {
    return this.byModel.get(modelId) ?? [];
  }

  find(modelVersionId: string): ModelVersion | null {
    for (const versions of this.byModel.values()) {
      const found = versions.find((one) => one.model_version_id === modelVersionId);
      if (found) return found;
    }
    return null;
  }

  modelOf({ model_id }: Pick<ModelVersion, "model_id">): Model | null {
    return this.list.find((one) => one.model_id === model_id) ?? null;
  }

  /** Name a version for people: `Beam, version 3`. */
  nameOf(one: Which): string {
    const [model, version] = [this.modelOf(one), this.find(one.model_version_id)];
    if (model === null) return texts.deletedModel;
    return version === null ? texts.deletedVersion(model.name) : texts.version(model.name, version.number);
  }

  /** Return the newest deployment of a version that waits for its check, or that failed; null if it is neither. */
  troubled(version: ModelVersion): Deployment | null {
    const newest = this.deployments.find((one) => one.model_version_id === version.model_version_id);
    return newest !== undefined && (newest.status === "pending" || newest.status === "failed") ? newest : null;
  }

  /** Tell whether a deployment of a version goes back to an older one. */
  isRollBack(version: ModelVersion): boolean {
    const present = this.active === null ? null : this.find(this.active.model_version_id);
    if (present === null) return false;
    return present.model_id === version.model_id ? version.number < present.number : this.wasDeployed(version);
  }

  private wasDeployed({ model_version_id }: ModelVersion): boolean {
    return this.deployments.some((one) => one.model_version_id === model_version_id && one.status === "retired");
  }

  async load(): Promise<void> {
    await Promise.all([this.models.read(), this.deployed.load()]);
    await Promise.all(this.list.map((one) => this.loadVersions(one.model_id)));
  }

  loadOlderDeployments(): Promise<void> {
    return this.deployed.more();
  }

  private loadVersions(modelId: string): Promise<void> {
    return this.versionsAt(modelId).read();
  }

  private versionsAt(modelId: string): Fresh<ModelVersion[]> {
    let found = this.versions.get(modelId);
    if (found === undefined) {
      found = new Fresh(() => this.calls.versions(modelId), (versions) => {
        this.byModel.set(modelId, versions);
        for (const one of versions) this.watch(one);
      });
      this.versions.set(modelId, found);
    }
    return found;
  }

  /** Follow an event of the project: a check that ended, or a deployment. */
  async hear(type: string, modelId: string | undefined): Promise<void> {
    if (this.isClosed) return;
    if (type === "model.deployment.changed") await this.deployed.load();
    else if (modelId !== undefined && this.byModel.has(modelId)) await Promise.all([this.loadVersions(modelId), this.deployed.load()]);
    else await this.load();
    this.changed();
  }

  async create(name: string): Promise<Model> {
    const made = await this.calls.create(name.trim());
    this.models.note();
    this.list = [...this.list.filter((one) => one.model_id !== made.model_id), made];
    if (!this.byModel.has(made.model_id)) this.byModel.set(made.model_id, []);
    return made;
  }

  async rename(model: Model, name: string): Promise<void> {
    const changed = await this.calls.rename(model.model_id, name.trim());
    this.models.note();
    this.list = this.list.map((one) => (one.model_id === model.model_id ? changed : one));
  }

  async removeModel(model: Model): Promise<void> {
    await this.calls.removeModel(model.model_id);
    this.models.note();
    this.list = this.list.filter((one) => one.model_id !== model.model_id);
    this.byModel.delete(model.model_id);
  }

  async removeVersion(version: ModelVersion): Promise<void> {
    await this.calls.removeVersion(version);
    this.versionsAt(version.model_id).note();
    const left = this.versionsOf(version.model_id).filter((one) => one.model_version_id !== version.model_version_id);
    this.byModel.set(version.model_id, left);
  }

  /** Send a file as a new version: of a model, or of the one that has the file's name, which is made if there is none. */
  async send(file: File, modelId: string | null, deploys: boolean): Promise<ModelVersion> {
    const fault = faultOf(file);
    if (fault) throw new Error(fault);
    this.sending = { file, modelId: modelId ?? this.named(modelName(file))?.model_id ?? null, deploys, key: requestKey() };
    return this.sendAgain();
  }

  private named(name: string): Model | undefined {
    return this.list.find((one) => one.name.toLowerCase() === name.toLowerCase());
  }

  /** Send once more what could not be sent. */
  async sendAgain(): Promise<ModelVersion> {
    const { sending } = this;
    if (sending === null) throw new Error(texts.noFile);
    try {
      sending.modelId ??= (await this.create(modelName(sending.file))).model_id;
      const made = await this.upload(sending.modelId, sending.file, typeOf(sending.file)!, sending.key);
      this.sending = null;
      if (sending.deploys) await this.deployUnlessFailed(made);
      return made;
    } catch (error) {
      if (!isPassing(error)) this.sending = null;
      throw error;
    }
  }

  /** Deploy a new version. Where its check has failed already there is nothing to deploy, and its finding says why. */
  private async deployUnlessFailed(version: ModelVersion): Promise<void> {
    try {
      await this.deploy(version);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "CONFLICT") throw error;
    }
  }

  /** Forget what could not be sent. */
  forget(): void {
    this.sending = null;
  }

  /** Send a file as a version of a model, and follow its check. */
  async upload(modelId: string, file: Blob, type: string, key = requestKey()): Promise<ModelVersion> {
    const made = await this.calls.upload(modelId, file, type, key);
    this.put(made);
    this.watch(made);
    return made;
  }

  async deploy(version: ModelVersion): Promise<void> {
    await this.calls.deploy(version.model_version_id);
    await this.deployed.load(); // the one before has ended, and its end is another's news
  }

  /** End the active deployment: the project evaluates nothing then. */
  async undeploy(): Promise<void> {
    await this.calls.undeploy();
    await this.deployed.load();
  }

  /** Return the lines of a version's file; null for a zip, which has several files. */
  async lines(version: ModelVersion): Promise<readonly string[] | null> {
    if (version.kind === "zip") return null;
    return new TextDecoder().decode(await this.calls.source(version)).split(/\r\n|\r|\n/);
  }

  source(version: ModelVersion): Promise<ArrayBuffer> {
    return this.calls.source(version);
  }

  log(version: ModelVersion): Promise<string> {
    return this.calls.log(version);
  }

  /** End all that is followed. */
  close(): void {
    this.isClosed = true;
  }

  private put(version: ModelVersion): void {
    this.versionsAt(version.model_id).note();
    const others = this.versionsOf(version.model_id).filter((one) => one.model_version_id !== version.model_version_id);
    this.byModel.set(version.model_id, [version, ...others].sort((one, other) => other.number - one.number));
  }

  /** Return a version when its check is done; as far as it is known when it is deleted meanwhile. */
  async checked(version: ModelVersion): Promise<ModelVersion> {
    await this.watched.get(version.model_version_id);
    return this.find(version.model_version_id) ?? version;
  }

  private watch(version: ModelVersion): void {
    const id = version.model_version_id;
    if (isChecked(version) || this.watched.has(id)) return;
    this.watched.set(id, this.follow(version).finally(() => this.watched.delete(id)));
  }

  /** Look at a version until its check is done: often at first, then ever more rarely, since each look is a request. */
  private async follow(version: ModelVersion): Promise<void> {
    const id = version.model_version_id;
    let [seconds, failures] = [FIRST_WAIT, 0];
    while (!this.isClosed && this.find(id) !== null) {
      try {
        const found = await this.calls.version(version, seconds);
        [seconds, failures] = [Math.min(seconds * 2, LONGEST_WAIT), 0];
        if (this.isClosed || this.find(id) === null) return;
        this.put(found);
        if (isChecked(found)) await this.deployed.load(); // one that waited for the check has ended
        this.changed();
        if (isChecked(found)) return;
      } catch (error) {
        if (error instanceof ApiError && OVER.has(error.status)) return;
        failures += 1;
        await new Promise<void>((resolve) => this.clock.later(pauseAfter(failures), resolve));
      }
    }
  }
}
