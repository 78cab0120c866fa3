/** Simulates an image pull: downloads up to three layers at a time, unpacks them, and reports the progress. */
import { CriError } from '@podscope/cri';
import type { Context, Milliseconds } from '@podscope/trace';
import type { ImageDefinition } from './catalog.ts';
import { layerIds } from './image-store.ts';

/** The status text of a layer, as in Docker's output. */
type LayerStatus =
  | 'Waiting'
  | 'Downloading'
  | `Retrying in ${number} second${'' | 's'}`
  | 'Download complete'
  | 'Extracting'
  | 'Pull complete'
  | 'Already exists';

interface Layer {
  readonly id: string;
  readonly total: number;
  status: LayerStatus;
  fetched: number;
  unpacked: number;
  /**
   * After how many bytes the connection is reset; infinite for a stable connection. Undefined until the layer has a
   * connection.
   */
  cutAt: number | undefined;
  resets: number;
  /** The time until the next attempt, in ms. */
  pause: Milliseconds;
}

const parallelDownloads = 3;
/**
 * The number of attempts per layer. The delay between them grows by five seconds each time. Upstream: moby
 * distribution/xfer (20.10).
 */
const mostAttempts = 5;
const retryStep: Milliseconds = 5_000;
const unpackedPerSecond = 120_000_000;
/** The shortest interval between two progress events. `mostTicks` limits the number of these events per pull. */
const shortestTick: Milliseconds = 100;
const mostTicks = 200;

export interface PullOptions {
  /** The reference of the image in progress events. */
  readonly image: string;
  readonly name: string;
  readonly definition: ImageDefinition;
  readonly bytesPerSecond: number;
  readonly hasLayer: (id: string) => boolean;
  readonly wait: (ms: Milliseconds) => Promise<void>;
  /**
   * Returns the share (0 to 1) of the remaining bytes that a new connection transfers before it breaks; undefined for a
   * stable connection.
   */
  readonly breaksAt: () => number | undefined;
  /** Returns the two addresses of a connection in Go's format, for example `192.168.49.2:41234->203.0.113.7:443`. */
  readonly connection: () => string;
}

/**
 * Downloads and unpacks the missing layers of an image.
 * @throws CriError with Docker's text when the last attempt for a layer failed
 */
export async function pullLayers(ctx: Context, options: PullOptions): Promise<void> {
  const { image, name, definition, bytesPerSecond, hasLayer, wait } = options;
  const ids = layerIds(name, definition);
  const layers = definition.layers.map((total, index): Layer => {
    const id = ids[index] ?? '';
    const present = hasLayer(id);
    const bytes = present ? total : 0;
    return {
      id,
      total,
      status: present ? 'Already exists' : 'Waiting',
      fetched: bytes,
      unpacked: bytes,
      cutAt: undefined,
      resets: 0,
      pause: 0,
    };
  });
  const bytes = layers.reduce((sum, layer) => sum + layer.total - layer.fetched, 0);
  const tick = Math.max(shortestTick, ((bytes / bytesPerSecond) * 1000) / mostTicks);
  let reported = '';
  const report = (): void => {
    const shown = layers.map(({ id, status, fetched, unpacked, total }) =>
      status === 'Downloading' || status === 'Extracting'
        ? { id, status, current: Math.round(status === 'Downloading' ? fetched : unpacked), total }
        : { id, status },
    );
    // Emits an event only if the text has changed. While a layer waits for its next attempt, it changes once per
    // second.
    const text = JSON.stringify(shown);
    if (text !== reported) ctx.tracer.emit(ctx, { type: 'pullProgress', image, layers: shown });
    reported = text;
  };
  report();
  while (layers.some(({ status }) => status !== 'Pull complete' && status !== 'Already exists')) {
    await wait(tick);
    fetch(layers, (bytesPerSecond * tick) / 1000, options, tick);
    unpack(layers, (unpackedPerSecond * tick) / 1000);
    report();
  }
}

/** Opens a connection for a layer, unless the layer still waits for its next attempt. */
function connect(layer: Layer, { breaksAt }: PullOptions, passed: Milliseconds): void {
  if (layer.pause > 0) {
    layer.pause -= passed;
    const seconds = Math.max(1, Math.ceil(layer.pause / 1_000));
    layer.status = `Retrying in ${seconds} second${seconds === 1 ? '' : 's'}`;
    if (layer.pause > 0) return;
    layer.status = 'Downloading';
    layer.cutAt = undefined;
  }
  if (layer.cutAt !== undefined) return;
  const part = breaksAt();
  layer.cutAt = part === undefined ? Number.POSITIVE_INFINITY : layer.fetched + part * (layer.total - layer.fetched);
}

/**
 * Resets the connection of a layer. The received bytes are kept.
 * @throws CriError after the last attempt
 */
function reset(layer: Layer, { connection }: PullOptions): void {
  layer.resets++;
  if (layer.resets >= mostAttempts)
    throw new CriError('Unknown', `read tcp ${connection()}: read: connection reset by peer`);
  layer.pause = layer.resets * retryStep;
  layer.status = `Retrying in ${layer.pause / 1_000} seconds`;
}

/** Distributes `budget` bytes among the downloads in progress. */
function fetch(layers: readonly Layer[], budget: number, options: PullOptions, passed: Milliseconds): void {
  // A layer that waits for its next attempt still counts as one of the parallel downloads.
  for (const layer of downloads(layers)) connect(layer, options, passed);
  let left = budget;
  while (left > 0) {
    const running = downloads(layers).filter(({ pause }) => pause <= 0);
    if (running.length === 0) return;
    const share = left / running.length;
    for (const layer of running) {
      connect(layer, options, 0);
      const { cutAt = Number.POSITIVE_INFINITY, total } = layer;
      const taken = Math.min(share, total - layer.fetched, Math.max(0, cutAt - layer.fetched));
      layer.fetched += taken;
      left -= taken;
      if (layer.fetched >= cutAt) {
        reset(layer, options);
        continue;
      }
      // Rounds up when less than a byte is missing, which rounding errors cause.
      if (total - layer.fetched < 1) layer.fetched = total;
      layer.status = layer.fetched === total ? 'Download complete' : 'Downloading';
    }
    if (share < 1) return;
  }
}

const downloads = (layers: readonly Layer[]): readonly Layer[] =>
  layers.filter(({ fetched, total }) => fetched < total).slice(0, parallelDownloads);

/** Unpacks layers in order, because each one builds on the previous one. */
function unpack(layers: readonly Layer[], budget: number): void {
  let left = budget;
  for (const layer of layers) {
    if (layer.status === 'Pull complete' || layer.status === 'Already exists') continue;
    if (layer.fetched < layer.total || left <= 0) return;
    const taken = Math.min(left, layer.total - layer.unpacked);
    layer.unpacked += taken;
    left -= taken;
    layer.status = layer.unpacked === layer.total ? 'Pull complete' : 'Extracting';
  }
}
