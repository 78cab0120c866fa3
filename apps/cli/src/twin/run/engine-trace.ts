/** What one pod's containers did on the engine, seen from outside as in the recordings. */
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineEvent } from '../recording.ts';
import type { DockerEngine, DockerEvent } from './docker-engine.ts';

export interface ContainerIdentity {
  readonly container: string;
  readonly attempt: number;
  readonly uid: string;
}

/** `k8s_<container>_<pod>_<namespace>_<uid>_<attempt>` */
function identityOf(name: string): ContainerIdentity | undefined {
  const parts = name.replace(/^\//, '').split('_');
  if (parts[0] !== 'k8s' || parts.length < 6) return undefined;
  const [, container = '', , , uid = '', attempt = ''] = parts;
  return { container, uid, attempt: Number(attempt) };
}

/** A container as it was created. */
export interface Created {
  readonly identity: ContainerIdentity;
  readonly inspection: Promise<Readonly<Record<string, unknown>> | undefined>;
}

/** Collects events, and an inspection of each container as it was created. */
export class EngineTrace {
  readonly events: (EngineEvent & { readonly uid: string; readonly id: string })[] = [];
  /** By `app/1`; more than one where a pod was replaced by another of its name. */
  readonly creates = new Map<string, Created[]>();
  readonly ids = new Map<string, ContainerIdentity>();
  /** Addresses of sandboxes. */
  readonly podIPs = new Set<string>();
  readonly #engine: DockerEngine;
  readonly #now: () => number;
  readonly #uids: () => readonly string[];

  /** @param now milliseconds since the manifest was given; @param uids those that belong to this run */
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

  #add(id: string, { container, attempt, uid }: ContainerIdentity, action: string, { exitCode, signal }: DockerEvent['Actor']['Attributes']): void {
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

  /** Networks and addresses come with the start; the body itself is there at once. */
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
