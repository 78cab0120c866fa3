/**
 * Declares the state that only the v1.20 dockershim has. Upstream: dockerService (dockershim docker_service.go, v1.20).
 */
import { readFile, rmdir, symlink, unlink } from 'node:fs/promises';
import type { DNSConfig } from '@podscope/cri';
import type { Context, Instant } from '@podscope/trace';
import type { DockershimDependencies } from '../../dependencies.ts';
import { wrapError } from '../../docker/error.ts';
import type { DockerClient } from '../../docker/port.ts';
import type { ImageLookups } from '../../image/v1-20/image-lookups.ts';
import { rewriteResolvConf } from '../../sandbox/resolv-conf.ts';

/** Accesses files of the node, which dockershim does without the engine. */
export interface NodeFiles {
  symlink(target: string, link: string): Promise<void>;
  /**
   * Removes a file, link or empty directory. Upstream: os.Remove.
   * @throws Error with the code ENOENT if it doesn't exist
   */
  remove(path: string): Promise<void>;
  rewriteResolvConf(path: string, dns: DNSConfig): Promise<void>;
  /** Returns the text of a file. */
  read(path: string): Promise<string>;
}

/** The files of this machine. */
export const nodeFiles: NodeFiles = {
  symlink: (target, link) => symlink(target, link),
  // A current dockershim writes logs itself, so the path may be a file if the release was changed.
  remove: (path) =>
    unlink(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EISDIR' && error.code !== 'EPERM') throw error;
      return rmdir(path);
    }),
  rewriteResolvConf,
  read: (path) => readFile(path, 'utf8'),
};

/** The dependencies of every RPC of v1.20. */
export interface DockershimDependenciesV120 extends DockershimDependencies {
  /** Whether the network of each sandbox is set up. Without an entry, that is unknown, for example after a restart. */
  readonly networkReady: Map<string, boolean>;
  readonly images: ImageLookups;
  readonly files: NodeFiles;
  readonly engineVersion: EngineVersion;
  /** The time of the last failed pull of the sandbox image. If a fallback image exists, the next pull is delayed. */
  readonly sandboxPull: { failedAt?: Instant };
}

const versionFreshMs = 60_000;

/** Checks the engine's version, at most once per minute. Upstream: versionCache (v1.20). */
export class EngineVersion {
  readonly #docker: DockerClient;
  #askedAt: Instant | undefined;

  constructor(docker: DockerClient) {
    this.#docker = docker;
  }

  /**
   * Requests the version unless it was requested within the last minute.
   * @throws CriError if the engine doesn't answer
   */
  async check(ctx: Context): Promise<void> {
    const now = ctx.clock.now();
    if (this.#askedAt !== undefined && now - this.#askedAt < versionFreshMs) return;
    await this.#docker.version(ctx, {}).catch((error: unknown) => {
      throw wrapError('failed to get docker version', error);
    });
    this.#askedAt = now;
  }
}
