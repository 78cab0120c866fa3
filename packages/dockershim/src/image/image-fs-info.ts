/**
 * Implements ImageFsInfo with the engine's disk usage. Upstream: ImageFsInfo (dockershim docker_image_linux.go, v1.20),
 * which visits all files of a directory; containerd measures every 10 s.
 */
import { statfs } from 'node:fs/promises';
import { errorMessage } from '@podscope/base';
import type { FilesystemUsage, ImageFsInfoResponse } from '@podscope/cri';
import { type Context, type Instant, sleep, toNanoseconds, withoutCancel } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';
import type { DockerClient } from '../docker/port.ts';
import type { DiskUsage } from '../docker/schemas.ts';

/** The age of a measurement, in ms, from which a call starts a new one in the background. */
const freshMs = 10_000;
/** The age of a measurement, in ms, from which it isn't returned any more. */
const maxAgeMs = 60_000;
/** How long a measurement of another client is waited for, and the pause between two requests, in ms. */
const busyTimeoutMs = 60_000;
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
    if (age > freshMs) this.#measure(withoutCancel(ctx)).catch(() => undefined);
    return this.#answer(this.#last);
  }

  /** Drops the measurement. Called after an image was pulled or removed. */
  expire(): void {
    this.#last = undefined;
  }

  #measure(ctx: Context): Promise<Measurement> {
    this.#running ??= this.#ask(ctx).finally(() => {
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

/** Repeats the request while the engine measures for another client: before 23.0, it rejects all but one request. */
async function diskUsage(ctx: Context, docker: DockerClient): Promise<DiskUsage> {
  const deadline = ctx.clock.now() + busyTimeoutMs;
  for (;;) {
    try {
      return await docker.diskUsage(ctx, {});
    } catch (error) {
      const isBusy = /a disk usage operation is already running/.test(errorMessage(error));
      if (!isBusy || ctx.clock.now() >= deadline) throw error;
      await sleep(ctx.clock, busyPauseMs, ctx.signal);
    }
  }
}

async function usedInodes(path: string): Promise<number | undefined> {
  const { files, ffree } = await statfs(path).catch(() => ({ files: 0, ffree: 0 }));
  return files > 0 ? files - ffree : undefined;
}
