/**
 * Records the creations, starts, kills and exits of one pod's containers from the engine's events, in the form of the
 * recordings.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DockerEngine, DockerEvent } from '@podscope/dockershim/testing/docker-engine';
import type { EngineEvent } from '../recording.ts';

export interface ContainerIdentity {
  readonly container: string;
  readonly attempt: number;
  readonly uid: string;
}

/** Parses a container name of the form `k8s_<container>_<pod>_<namespace>_<uid>_<attempt>`. */
function identityOf(name: string): ContainerIdentity | undefined {
  const parts = name.replace(/^\//, '').split('_');
  if (parts[0] !== 'k8s' || parts.length < 6) return undefined;
  const [, container = '', , , uid = '', attempt = ''] = parts;
  return { container, uid, attempt: Number(attempt) };
}

/** A container, and the result of inspecting it right after its creation. */
export interface Created {
  readonly identity: ContainerIdentity;
  readonly inspection: Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Collects engine events, and the inspection of each container right after its creation. */
export class EngineTrace {
  readonly events: (EngineEvent & { readonly uid: string; readonly id: string })[] = [];
  /** Containers by a key such as `app/1`; several if a pod was replaced by another of its name. */
  readonly creates = new Map<string, Created[]>();
  readonly ids = new Map<string, ContainerIdentity>();
  /** IP addresses of sandboxes. */
  readonly podIPs = new Set<string>();
  readonly #engine: DockerEngine;
  readonly #now: () => number;
  readonly #uids: () => readonly string[];

  /**
   * @param now milliseconds since the manifest was written
   * @param uids UIDs of the pods of this run
   */
  constructor(engine: DockerEngine, now: () => number, uids: () => readonly string[]) {
    this.#engine = engine;
    this.#now = now;
    this.#uids = uids;
  }

  take({ Action, Type, Actor }: DockerEvent): void {
    if (Type === 'network') {
      const id = Actor.Attributes['container'] ?? '';
      const known = this.ids.get(id);
      if (known) this.#add(id, known, `network ${Action}`, Actor.Attributes);
      return;
    }
    const identity = identityOf(Actor.Attributes['name'] ?? '');
    if (!identity || !this.#uids().includes(identity.uid)) return;
    this.ids.set(Actor.ID, identity);
    this.#add(Actor.ID, identity, Action, Actor.Attributes);
    if (Action === 'start' && identity.container === 'POD') void this.#readAddress(Actor.ID);
    if (Action === 'create') {
      const name = `${identity.container}/${identity.attempt}`;
      this.creates.set(name, [...(this.creates.get(name) ?? []), { identity, inspection: this.#inspect(Actor.ID) }]);
    }
  }

  #add(
    id: string,
    { container, attempt, uid }: ContainerIdentity,
    action: string,
    { exitCode, signal }: DockerEvent['Actor']['Attributes'],
  ): void {
    this.events.push({
      t: this.#now(),
      action,
      container,
      attempt,
      uid,
      id,
      ...(exitCode === undefined ? {} : { exitCode }),
      ...(signal === undefined ? {} : { signal }),
    });
  }

  async #readAddress(id: string): Promise<void> {
    const inspection = await this.#inspect(id);
    const address = (inspection?.['NetworkSettings'] as { readonly IPAddress?: string } | undefined)?.IPAddress;
    if (address) this.podIPs.add(address);
  }

  /** Inspects a new container, retrying on errors. Only networks and addresses are missing until it starts. */
  async #inspect(id: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        return (await this.#engine.call('GET', `/containers/${id}/json`)) as Readonly<Record<string, unknown>>;
      } catch {
        await delay(20);
      }
    }
    return undefined;
  }
}
