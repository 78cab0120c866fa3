/**
 * Implements ImageFsInfo from the engine's disk usage. Upstream: ImageFsInfo (dockershim docker_image_linux.go, v1.20),
 * which walks a directory; containerd measures every 10 s.
 */
import { statfs } from 'node:fs/promises';
import type { FilesystemUsage, ImageFsInfoResponse } from '@podscope/cri';
import { type Context, type Instant, toNanoseconds, withoutCancel } from '@podscope/trace';
import type { DockershimDependencies } from '../dependencies.ts';

/** A measurement is repeated in the background after this time. */
const freshMs = 10_000;
/** An older measurement isn't answered any more. */
const maxAgeMs = 60_000;

interface Measurement {
  readonly at: Instant;
  readonly layers: number;
  readonly writable: number;
  readonly inodes: number | undefined;
}

/**
 * Measures the disk usage of images and containers. `GET /system/df` is expensive, so calls are answered from memory.
 */
export class ImageFsUsage {
  readonly #dependencies: Pick<DockershimDependencies, 'docker' | 'engine'>;
  #last: Measurement | undefined;
  #running: Promise<Measurement> | undefined;

  constructor(dependencies: Pick<DockershimDependencies, 'docker' | 'engine'>) {
    this.#dependencies = dependencies;
  }

  /** Returns the usage in bytes with the time of its measurement, which is at most a minute ago. */
  async read(ctx: Context): Promise<ImageFsInfoResponse> {
    const age = this.#last ? ctx.clock.now() - this.#last.at : Number.POSITIVE_INFINITY;
    if (!this.#last || age > maxAgeMs) return this.#answer(await this.#measure(ctx));
    // The next call fails with the engine's error if it persists.
    if (age > freshMs) this.#measure(withoutCancel(ctx)).catch(() => undefined);
    return this.#answer(this.#last);
  }

  /** Discards the measurement, because an image was pulled or removed. */
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
    const { LayersSize, Containers } = await docker.diskUsage(ctx, {});
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

async function usedInodes(path: string): Promise<number | undefined> {
  const { files, ffree } = await statfs(path).catch(() => ({ files: 0, ffree: 0 }));
  return files > 0 ? files - ffree : undefined;
}
