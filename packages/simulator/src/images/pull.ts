/** The course of a pull: layers are fetched three at a time, checked and unpacked, and the log hears of it. */
import type { Context, Milliseconds } from '@podscope/trace';
import type { ImageDefinition } from './catalog.ts';
import { layerIds } from './image-store.ts';

/** What the engine says about a layer. */
type LayerStatus = 'Waiting' | 'Downloading' | 'Download complete' | 'Extracting' | 'Pull complete' | 'Already exists';

interface Layer {
  readonly id: string;
  readonly total: number;
  status: LayerStatus;
  fetched: number;
  unpacked: number;
}

const parallelDownloads = 3;
const unpackedPerSecond = 120_000_000;
/** The log hears of a pull about this often, and at most so many times. */
const shortestTick: Milliseconds = 100;
const mostTicks = 200;

export interface PullOptions {
  /** The reference as the log shows it. */
  readonly image: string;
  readonly name: string;
  readonly definition: ImageDefinition;
  readonly bytesPerSecond: number;
  readonly hasLayer: (id: string) => boolean;
  readonly wait: (ms: Milliseconds) => Promise<void>;
}

/** Fetches what is missing of an image. */
export async function pullLayers(ctx: Context, { image, name, definition, bytesPerSecond, hasLayer, wait }: PullOptions): Promise<void> {
  const ids = layerIds(name, definition);
  const layers = definition.layers.map((total, index): Layer => {
    const id = ids[index] ?? '';
    const present = hasLayer(id);
    return { id, total, status: present ? 'Already exists' : 'Waiting', fetched: present ? total : 0, unpacked: present ? total : 0 };
  });
  const bytes = layers.reduce((sum, layer) => sum + layer.total - layer.fetched, 0);
  const tick = Math.max(shortestTick, ((bytes / bytesPerSecond) * 1000) / mostTicks);
  const report = (): void => {
    ctx.tracer.emit(ctx, {
      type: 'pullProgress',
      image,
      layers: layers.map(({ id, status, fetched, unpacked, total }) =>
        status === 'Downloading' || status === 'Extracting'
          ? { id, status, current: Math.round(status === 'Downloading' ? fetched : unpacked), total }
          : { id, status },
      ),
    });
  };
  report();
  while (layers.some(({ status }) => status !== 'Pull complete' && status !== 'Already exists')) {
    await wait(tick);
    fetch(layers, (bytesPerSecond * tick) / 1000);
    unpack(layers, (unpackedPerSecond * tick) / 1000);
    report();
  }
}

/** Shares `budget` bytes among the downloads that run. */
function fetch(layers: readonly Layer[], budget: number): void {
  let left = budget;
  while (left > 0) {
    const running = layers.filter(({ fetched, total }) => fetched < total).slice(0, parallelDownloads);
    if (running.length === 0) return;
    const share = left / running.length;
    for (const layer of running) {
      const taken = Math.min(share, layer.total - layer.fetched);
      layer.fetched += taken;
      left -= taken;
      // Rounding must not leave a last fraction of a byte behind.
      if (layer.total - layer.fetched < 1) layer.fetched = layer.total;
      layer.status = layer.fetched === layer.total ? 'Download complete' : 'Downloading';
    }
    if (share < 1) return;
  }
}

/** Unpacks layers in order, as an engine must: each lies on the one before. */
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
