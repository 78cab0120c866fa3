/**
 * Restricts dockershim to the containers of one instance. Objects without the instance's label are never listed,
 * stopped, removed or entered.
 */
import { CriError } from '@podscope/cri';
import type { Context } from '@podscope/trace';
import type { DockerClient } from '../docker/port.ts';
import type { ContainerInspect } from '../docker/schemas.ts';
import { labelKeys, type ObjectKind } from './labels.ts';

const notFound = (id: string): CriError => new CriError('NotFound', `Error: No such container: ${id}`);

/** Finds the containers of one instance. */
export class OwnedObjects {
  readonly #docker: DockerClient;
  readonly #instance: string;
  /** The full ids of objects that have the label. Labels never change, so these objects aren't inspected again. */
  readonly #known = new Map<string, ObjectKind>();
  /** The full ids of containers that were created but not started. */
  readonly #new = new Set<string>();

  constructor(docker: DockerClient, instance: string) {
    this.#docker = docker;
    this.#instance = instance;
  }

  /** Returns the label filter that every list call uses. */
  labelFilter(kind: ObjectKind): string[] {
    return [`${labelKeys.type}=${kind}`, ...this.ownershipFilter()];
  }

  /** Returns the part of the filter that selects the instance. */
  ownershipFilter(): string[] {
    return [`${labelKeys.instance}=${this.#instance}`];
  }

  /**
   * Returns true for a container of this instance, of any kind.
   * @throws CriError NotFound
   */
  async owns(ctx: Context, id: string): Promise<boolean> {
    return this.isOurs((await this.#docker.inspectContainer(ctx, { id })).Config.Labels);
  }

  remember(id: string, kind: ObjectKind): void {
    this.#known.set(id, kind);
  }

  /** Records a created container. */
  rememberNew(id: string): void {
    this.remember(id, 'container');
    this.#new.add(id);
  }

  /** Returns true at the first call for a container that was created and not started. Further calls return false. */
  takeNew(id: string): boolean {
    return this.#new.delete(id);
  }

  forget(id: string): void {
    this.#known.delete(id);
    this.#new.delete(id);
  }

  /** Returns true for the labels of an object of this instance. */
  isOurs(labels: Readonly<Record<string, string>>): boolean {
    return labels[labelKeys.instance] === this.#instance;
  }

  /**
   * Returns the full id for an id or a unique prefix.
   * @throws CriError NotFound, also for objects of another owner
   */
  async resolve(ctx: Context, id: string, kind: ObjectKind): Promise<string> {
    return this.#known.get(id) === kind ? id : (await this.inspect(ctx, id, kind)).Id;
  }

  /**
   * Inspects an object of this instance.
   * @throws CriError NotFound, also for objects of another owner
   */
  async inspect(
    ctx: Context,
    id: string,
    kind: ObjectKind,
    options: { readonly size?: boolean } = {},
  ): Promise<ContainerInspect> {
    if (!id) throw notFound(id);
    const container = await this.#docker.inspectContainer(ctx, { id, ...options });
    const { Labels } = container.Config;
    if (!this.isOurs(Labels) || Labels[labelKeys.type] !== kind) throw notFound(id);
    this.remember(container.Id, kind);
    return container;
  }
}
