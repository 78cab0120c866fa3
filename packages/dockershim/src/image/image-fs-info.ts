/**
 * Implements ImageFsInfo with the engine's disk usage. Upstream: ImageFsInfo (dockershim docker_image_linux.go, v1.20),
 * which visits all files of a directory; containerd measures every 10 s.
 */
import { statfs } from 'node:fs/promises';
import type { FilesystemUsage, ImageFsInfoResponse } from '@podscope/cri';
import { type Context, type Instant, sleep, toNanoseconds, withoutCancel } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import { isDiskUsageInProgress } from '../docker/error.ts';
import type { DockerClient } from '../docker/port.ts';
import type { DiskUsage } from '../docker/schemas.ts';

/** The age of a measurement, in ms, from which a call starts a new one in the background. */
const freshMs = 10_000;
/** The age of a measurement, in ms, from which it isn't returned any more. */
const maxAgeMs = 60_000;
/** How long requests are repeated while the engine measures for another client, in ms. */
const busyTimeoutMs = 60_000;
/** The pause between two of these requests, in ms. */
const busyPauseMs = 500;

interface Measurement {
  readonly at: Instant;
  readonly layers: number;
  readonly writable: number;
  readonly inodes: number | undefined;
}

/**
 * Measures the disk usage of images and containers. `GET /system/df` is expensive, so most calls return the last
 * measurement.
 */
export class ImageFsUsage {
  readonly #dependencies: Pick<DockershimDependencies, 'docker' | 'engine'>;
  #last: Measurement | undefined;
  #running: Promise<Measurement> | undefined;

  constructor(dependencies: Pick<DockershimDependencies, 'docker' | 'engine'>) {
    this.#dependencies = dependencies;
  }

  /** Returns the usage in bytes and the time of the measurement, which is at most a minute ago. */
  async read(ctx: Context): Promise<ImageFsInfoResponse> {
    const age = this.#last ? ctx.clock.now() - this.#last.at : Number.POSITIVE_INFINITY;
    if (!this.#last || age > maxAgeMs) return this.#answer(await this.#measure(ctx));
    // Ignores the error. If measurements continue to fail, a call fails once the last measurement is too old.
    if (age > freshMs) this.#measure(ctx).catch(() => undefined);
    return this.#answer(this.#last);
  }

  /** Drops the measurement. Called after an image was pulled or removed. */
  expire(): void {
    this.#last = undefined;
  }

  #measure(ctx: Context): Promise<Measurement> {
    // Other callers wait for the same measurement, so the first caller can't cancel it.
    this.#running ??= this.#ask(withoutCancel(ctx)).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #ask(ctx: Context): Promise<Measurement> {
    const { docker, engine } = this.#dependencies;
    const { LayersSize, Containers } = await diskUsage(ctx, docker);
    const writable = Containers.reduce((sum, { SizeRw }) => sum + SizeRw, 0);
    const inodes = engine.hasLocalFiles ? await usedInodes(engine.rootDirectory) : undefined;
    this.#last = { at: ctx.clock.now(), layers: LayersSize, writable, inodes };
    return this.#last;
  }

  #answer({ at, layers, writable, inodes }: Measurement): ImageFsInfoResponse {
    const usage = (bytes: number): FilesystemUsage => ({
      timestamp: toNanoseconds(at),
      fsId: { mountpoint: this.#dependencies.engine.rootDirectory },
      usedBytes: { value: bytes },
      ...(inodes === undefined ? {} : { inodesUsed: { value: inodes } }),
    });
    return { imageFilesystems: [usage(layers)], containerFilesystems: [usage(writable)] };
  }
}

/** Returns the engine's disk usage. Repeats the request while the engine measures for another client. */
async function diskUsage(ctx: Context, docker: DockerClient): Promise<DiskUsage> {
  const deadline = ctx.clock.now() + busyTimeoutMs;
  for (;;) {
    try {
      return await docker.diskUsage(ctx, {});
    } catch (error) {
      if (!isDiskUsageInProgress(error) || ctx.clock.now() >= deadline) throw error;
      await sleep(ctx.clock, busyPauseMs);
    }
  }
}

async function usedInodes(path: string): Promise<number | undefined> {
  const { files, ffree } = await statfs(path).catch(() => ({ files: 0, ffree: 0 }));
  return files > 0 ? files - ffree : undefined;
}
