/** What the verbs of the v1.20 dockershim share beyond what today's need. */
import { readFile, readlink, rm, symlink } from 'node:fs/promises';
import type { DNSConfig } from '@podscope/cri';
import type { Context, Instant } from '@podscope/trace';
import { wrapError } from '../docker/error.ts';
import type { DockerClient } from '../docker/port.ts';
import { rewriteResolvConf } from '../sandbox/resolv-conf.ts';
import type { Shim } from '../shim.ts';
import type { ImageLookups } from './image-lookups.ts';

/** The node's files that dockershim touches itself. */
export interface NodeFiles {
  symlink(target: string, link: string): Promise<void>;
  /** @throws Error with the code ENOENT when there is none */
  remove(path: string): Promise<void>;
  rewriteResolvConf(path: string, dns: DNSConfig): Promise<void>;
  /** The text of a file. */
  read(path: string): Promise<string>;
}

/** The files of the machine this runs on. */
export const nodeFiles: NodeFiles = {
  symlink: (target, link) => symlink(target, link),
  async remove(path) {
    // Only links are ours to remove.
    await readlink(path);
    await rm(path);
  },
  rewriteResolvConf,
  read: (path) => readFile(path, 'utf8'),
};

/** The shared state. Upstream: dockerService (v1.20). */
export interface ShimV120 extends Shim {
  /** Whether a sandbox's network was set up; no entry: not known, as after a restart. */
  readonly networkReady: Map<string, boolean>;
  readonly images: ImageLookups;
  readonly files: NodeFiles;
  readonly engineVersion: EngineVersion;
  /** When the sandbox image could last not be pulled: where another stands in for it, it is not asked for again at once. */
  readonly sandboxPull: { failedAt?: Instant };
}

const versionFreshMs = 60_000;

/** The engine's version, asked for once a minute. Upstream: versionCache (v1.20). */
export class EngineVersion {
  readonly #docker: DockerClient;
  #askedAt: Instant | undefined;

  constructor(docker: DockerClient) {
    this.#docker = docker;
  }

  /** @throws CriError when the engine does not answer */
  async check(ctx: Context): Promise<void> {
    const now = ctx.clock.now();
    if (this.#askedAt !== undefined && now - this.#askedAt < versionFreshMs) return;
    await this.#docker.version(ctx, {}).catch((error: unknown) => {
      throw wrapError('failed to get docker version', error);
    });
    this.#askedAt = now;
  }
}
