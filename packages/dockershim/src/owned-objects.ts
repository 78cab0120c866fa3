/** Whose a container is: nothing without our instance's label is shown, stopped, removed or entered, whatever its name or id. */
import { CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockerClient } from './docker/port.ts';
import type { ContainerInspect } from './docker/schemas.ts';
import { labelKeys, type ObjectKind } from './labels.ts';

const notFound = (id: string): CriError => new CriError('NotFound', `Error: No such container: ${id}`);

/** Knows the containers of one instance. */
export class OwnedObjects {
  readonly #docker: DockerClient;
  readonly #instance: string;
  /** Full ids we made or saw with our label: labels never change, so these need no second look. */
  readonly #known = new Map<string, ObjectKind>();
  /** Full ids of containers we made that nobody has started. */
  readonly #new = new Set<string>();

  constructor(docker: DockerClient, instance: string) {
    this.#docker = docker;
    this.#instance = instance;
  }

  /** The filter that every list carries. */
  labelFilter(kind: ObjectKind): string[] {
    return [`${labelKeys.type}=${kind}`, ...this.ownershipFilter()];
  }

  /** The part of it that says whose the objects are. */
  ownershipFilter(): string[] {
    return [`${labelKeys.instance}=${this.#instance}`];
  }

  /** True for a container of ours, of whatever kind. @throws CriError NotFound when there is none */
  async owns(ctx: Context, id: string): Promise<boolean> {
    return this.isOurs((await this.#docker.inspectContainer(ctx, { id })).Config.Labels);
  }

  remember(id: string, kind: ObjectKind): void {
    this.#known.set(id, kind);
  }

  /** Remembers a container that was just made. */
  rememberNew(id: string): void {
    this.remember(id, 'container');
    this.#new.add(id);
  }

  /** True, once, for a full id of which that is known. */
  takeNew(id: string): boolean {
    return this.#new.delete(id);
  }

  forget(id: string): void {
    this.#known.delete(id);
    this.#new.delete(id);
  }

  /** True for labels that carry our instance. */
  isOurs(labels: Readonly<Record<string, string>>): boolean {
    return labels[labelKeys.instance] === this.#instance;
  }

  /** The full id for an id or a unique prefix of one. @throws CriError NotFound when there is none, or it is somebody else's. */
  async resolve(ctx: Context, id: string, kind: ObjectKind): Promise<string> {
    return this.#known.get(id) === kind ? id : (await this.inspect(ctx, id, kind)).Id;
  }

  /** Inspects one of ours. @throws CriError NotFound when there is none, or it is somebody else's. */
  async inspect(ctx: Context, id: string, kind: ObjectKind, options: { readonly size?: boolean } = {}): Promise<ContainerInspect> {
    if (!id) throw notFound(id);
    const container = await this.#docker.inspectContainer(ctx, { id, ...options });
    const { Labels } = container.Config;
    if (!this.isOurs(Labels) || Labels[labelKeys.type] !== kind) throw notFound(id);
    this.remember(container.Id, kind);
    return container;
  }
}
