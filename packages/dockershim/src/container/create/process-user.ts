/**
 * Determines the user of a container's main process. It depends on files of the image, so only the process itself shows
 * it reliably.
 */
import { readFile } from 'node:fs/promises';
import type { ContainerUser } from '@podscope/cri';
import type { ContainerInspect } from '../../docker/schemas.ts';
import type { EngineFacts } from '../../engine/facts.ts';

const numbers = (line: RegExp, status: string): number[] =>
  (line.exec(status)?.[1]?.trim().split(/\s+/) ?? []).filter(Boolean).map(Number);

/** Returns the user in a `/proc/PID/status` text. */
function userOfStatus(status: string): ContainerUser | undefined {
  const [uid] = numbers(/^Uid:\t(.*)$/m, status);
  const [gid] = numbers(/^Gid:\t(.*)$/m, status);
  return uid === undefined || gid === undefined
    ? undefined
    : { linux: { uid, gid, supplementalGroups: numbers(/^Groups:\t(.*)$/m, status) } };
}

/** Returns the user in the container's configuration; names are resolved only inside the container. */
function userAsked(user: string): ContainerUser | undefined {
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(user) ?? [];
  return uid && gid ? { linux: { uid: Number(uid), gid: Number(gid) } } : undefined;
}

/** Remembers the first user seen per container, because a program may change its user later. */
export class ProcessUsers {
  readonly #engine: EngineFacts;
  readonly #known = new Map<string, ContainerUser>();

  constructor(engine: EngineFacts) {
    this.#engine = engine;
  }

  /**
   * Returns the user of an inspected container. Undefined on a remote engine, and for a process that exited before it
   * could be read.
   */
  async userOf({ Id, State, Config }: ContainerInspect): Promise<ContainerUser | undefined> {
    const known =
      this.#known.get(Id) ?? (State.Running && this.#engine.isLocal ? await this.#look(Id, State.Pid) : undefined);
    return known ?? userAsked(Config.User);
  }

  forget(id: string): void {
    this.#known.delete(id);
  }

  async #look(id: string, pid: number): Promise<ContainerUser | undefined> {
    if (pid <= 0) return undefined;
    const [cgroups, status] = await Promise.all([
      readFile(`/proc/${pid}/cgroup`, 'utf8'),
      readFile(`/proc/${pid}/status`, 'utf8'),
    ]).catch(() => ['', '']);
    // The pid may have been reused.
    const user = cgroups?.includes(id) ? userOfStatus(status ?? '') : undefined;
    if (user) this.#known.set(id, user);
    return user;
  }
}
