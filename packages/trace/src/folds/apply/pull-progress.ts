/** Computes the progress of an image pull from the layers that Docker reports. */
import type { TraceEventOf } from '../../events/event.ts';
import type { FoldState } from '../state/fold-state.ts';
import { type MutableActivity, type MutablePod, touch } from '../state/mutable-tracks.ts';
import type { PullLayerRecord } from '../tracks.ts';

type Layer = TraceEventOf<'pullProgress'>['layers'][number];

/** The share of the download in the progress of a layer. The rest is unpacking. */
const downloadShare = 0.75;

const part = ({ current, total }: Layer): number => (total ? Math.min(1, (current ?? 0) / total) : 0);

function layerFraction(layer: Layer): number {
  switch (layer.status) {
    case 'Downloading':
      return downloadShare * part(layer);
    case 'Verifying Checksum':
    case 'Download complete':
      return downloadShare;
    case 'Extracting':
      return downloadShare + (1 - downloadShare) * part(layer);
    case 'Pull complete':
    case 'Already exists':
      return 1;
    default:
      return 0;
  }
}

/**
 * Returns the progress from 0 to 1; undefined without layers. Each layer counts by its size. A layer of unknown size
 * gets the average size of the others.
 */
export function pullFraction(layers: readonly Layer[]): number | undefined {
  if (layers.length === 0) return undefined;
  const sizes = layers.flatMap(({ total }) => (total ? [total] : []));
  const usual = sizes.length > 0 ? sizes.reduce((sum, size) => sum + size, 0) / sizes.length : 1;
  let done = 0;
  let all = 0;
  for (const layer of layers) {
    const weight = layer.total || usual;
    all += weight;
    done += weight * layerFraction(layer);
  }
  return done / all;
}

const isHere: ReadonlySet<string> = new Set(['Verifying Checksum', 'Download complete', 'Extracting', 'Pull complete']);

/**
 * Returns the record of a layer that was reported at `time`. If the report omits a size that an earlier report
 * contained, the earlier size is kept.
 */
function layerRecord(
  { id, status, current, total }: Layer,
  before: PullLayerRecord | undefined,
  time: number,
): PullLayerRecord {
  const has = isHere.has(status);
  return {
    id,
    status,
    current: current ?? before?.current,
    total: total ?? before?.total,
    startedAt: before?.startedAt ?? (has || status === 'Downloading' ? time : undefined),
    downloadedAt: before?.downloadedAt ?? (has ? time : undefined),
    extractingAt: before?.extractingAt ?? (status === 'Extracting' ? time : undefined),
    doneAt: before?.doneAt ?? (status === 'Pull complete' ? time : undefined),
  };
}

/**
 * Returns the pull to which an event belongs: the pull that encloses the event's span; without such a pull, the pod's
 * open pull of that image.
 */
function pullOf(state: FoldState, pod: MutablePod, event: TraceEventOf<'pullProgress'>) {
  const around = state.outward(event.span, ({ id }) => {
    const located = state.activity(id);
    return located?.activity.kind === 'pull' ? located : undefined;
  });
  if (around) return around;
  const isOpen = (activity: MutableActivity): boolean =>
    activity.kind === 'pull' && activity.end === undefined && activity.detail === event.image;
  for (const track of pod.containers) {
    const activity = track.activities.findLast(isOpen);
    if (activity) return state.activity(activity.span);
  }
  return undefined;
}

export function applyPullProgress(state: FoldState, pod: MutablePod, event: TraceEventOf<'pullProgress'>): void {
  const pull = pullOf(state, pod, event);
  if (!pull) return;
  // When the size of another layer becomes known, the fraction can become smaller. A progress bar must never go back,
  // so the maximum is kept.
  const fraction = pullFraction(event.layers);
  if (fraction !== undefined) pull.activity.progress = Math.max(pull.activity.progress ?? 0, fraction);
  pull.activity.layers = event.layers.map((layer) =>
    layerRecord(
      layer,
      pull.activity.layers?.find(({ id }) => id === layer.id),
      event.time,
    ),
  );
  touch(pull.track);
}
