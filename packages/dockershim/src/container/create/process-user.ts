/**
 * Reads the user of a container's main process. The user depends on files of the image, so only the running process
 * shows it reliably.
 */
import { readFile } from 'node:fs/promises';
import type { ContainerUser } from '@podscope/cri';
import type { ContainerInspect } from '../../docker/schemas.ts';
import type { EngineFacts } from '../../engine/facts.ts';

const numbers = (line: RegExp, status: string): number[] =>
  (line.exec(status)?.[1]?.trim().split(/\s+/) ?? []).filter(Boolean).map(Number);

/** Returns the user in the text of `/proc/PID/status`. */
function userOfStatus(status: string): ContainerUser | undefined {
  const [uid] = numbers(/^Uid:\t(.*)$/m, status);
  const [gid] = numbers(/^Gid:\t(.*)$/m, status);
  return uid === undefined || gid === undefined
    ? undefined
    : { linux: { uid, gid, supplementalGroups: numbers(/^Groups:\t(.*)$/m, status) } };
}

/**
 * Returns the user in the container's configuration if it is `uid:gid` with two numbers; otherwise undefined, because
 * only the files of the container can resolve names.
 */
function userAsked(user: string): ContainerUser | undefined {
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(user) ?? [];
  return uid && gid ? { linux: { uid: Number(uid), gid: Number(gid) } } : undefined;
}

/** Remembers the first user seen for each container, because a program may change its user later. */
export class ProcessUsers {
  readonly #engine: EngineFacts;
  readonly #known = new Map<string, ContainerUser>();

  constructor(engine: EngineFacts) {
    this.#engine = engine;
  }

  /**
   * Returns the user of an inspected container. Returns undefined if the engine is on another machine or if the process
   * exited before it could be read.
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
    // The process with this pid may be another one by now, so its cgroup must contain the container's id.
    const user = cgroups?.includes(id) ? userOfStatus(status ?? '') : undefined;
    if (user) this.#known.set(id, user);
    return user;
  }
}
