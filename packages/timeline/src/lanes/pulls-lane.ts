/** Builds the lane of image pulls: a bar per pull with its bytes, and below it a thin bar per fetched layer. */

import { type ActivityRecord, type PodTrack, type PullLayerRecord, type SpanRecord, sourceOf } from '@podscope/trace';
import { formatBytes } from '../base/format.ts';
import { itemId } from '../items/item-id.ts';
import type { Item, Lane } from '../model.ts';
import type { TimelineWords } from '../words/words.ts';

/** Maximum number of layers of a pull that have a bar. The largest layers are shown. */
const mostLayers = 8;

/** The maximum number of rows of the lane. Pulls that run at the same time are below each other. */
const mostRows = 27;

interface Pull {
  readonly activity: ActivityRecord;
  readonly layers: readonly PullLayerRecord[];
}

const wasFetched = ({ startedAt, downloadedAt }: PullLayerRecord): boolean => (startedAt ?? downloadedAt) !== undefined;

function pullsOf(pod: PodTrack): readonly Pull[] {
  return pod.containers
    .flatMap(({ activities }) =>
      activities.flatMap((activity): Pull[] => {
        const fetched = activity.kind === 'pull' ? (activity.layers?.filter(wasFetched) ?? []) : [];
        if (fetched.length === 0) return [];
        const largest = fetched.toSorted((a, b) => (b.total ?? 0) - (a.total ?? 0)).slice(0, mostLayers);
        return [{ activity, layers: fetched.filter((layer) => largest.includes(layer)) }];
      }),
    )
    .toSorted((a, b) => a.activity.start - b.activity.start);
}

const isPast = ({ downloadedAt }: PullLayerRecord): boolean => downloadedAt !== undefined;

/** Returns the bytes of a layer that have arrived, and its total. */
const bytesOf = (layer: PullLayerRecord): readonly [number, number] => [
  isPast(layer) ? (layer.total ?? 0) : (layer.current ?? 0),
  layer.total ?? 0,
];

/** Returns a text such as `12.3 of 40 MB` for all layers together. */
function bytesText(layers: readonly PullLayerRecord[], words: TimelineWords): string | undefined {
  const sums = layers.map(bytesOf);
  const done = sums.reduce((sum, [bytes]) => sum + bytes, 0);
  const all = sums.reduce((sum, [, bytes]) => sum + bytes, 0);
  if (all === 0) return undefined;
  return done >= all ? formatBytes(all) : words.pulls.bytes(formatBytes(done), formatBytes(all));
}

function summaryItem(
  { activity }: Pull,
  row: number,
  words: TimelineWords,
  spanOf: (id: number) => SpanRecord | undefined,
): Item {
  const layers = activity.layers ?? [];
  const span = spanOf(activity.span);
  const present = layers.filter(({ status }) => status === 'Already exists').length;
  const failed = activity.outcome === 'error';
  return {
    id: itemId({ kind: 'span', span: activity.span }),
    start: activity.start,
    end: activity.end,
    row,
    state: 'pulling',
    label: activity.detail,
    detail: [
      bytesText(layers.filter(wasFetched), words),
      words.pulls.layers(layers.length),
      present > 0 ? `${present} ${words.pulls.present}` : undefined,
    ]
      .filter(Boolean)
      .join(' · '),
    progress: activity.progress,
    failed,
    error: failed ? span?.error?.message : undefined,
    span: activity.span,
    ...(span && sourceOf(span)),
  };
}

/** Returns two bars for a layer: downloading, then extracting. */
function layerItems(layer: PullLayerRecord, { activity }: Pull, row: number, words: TimelineWords): Item[] {
  const { id, startedAt, downloadedAt, extractingAt, doneAt, current, total } = layer;
  const name = id.slice(0, 7);
  const shared = { row, span: activity.span };
  const items: Item[] = [];
  const start = startedAt ?? downloadedAt ?? activity.start;
  items.push({
    ...shared,
    id: `layer:${activity.span}:${id}:download`,
    start,
    end: downloadedAt ?? activity.end,
    state: 'pulling',
    label: `${name} ${words.pulls.download}`,
    detail: bytesText([layer], words),
    progress: downloadedAt === undefined && total ? Math.min(1, (current ?? 0) / total) : undefined,
  });
  if (extractingAt !== undefined || doneAt !== undefined) {
    items.push({
      ...shared,
      id: `layer:${activity.span}:${id}:unpack`,
      start: Math.max(downloadedAt ?? start, extractingAt ?? doneAt ?? start),
      end: doneAt ?? activity.end,
      state: 'creating',
      label: words.pulls.unpack,
      detail: total ? formatBytes(total) : undefined,
    });
  }
  return items;
}

/** Places each pull in the topmost rows that are free during the pull. */
function placed(pulls: readonly Pull[]): readonly { readonly pull: Pull; readonly row: number }[] {
  const busyUntil: number[] = [];
  return pulls.flatMap((pull) => {
    const height = pull.layers.length + 1;
    const { start, end = Number.POSITIVE_INFINITY } = pull.activity;
    for (let row = 0; row + height <= mostRows; row++) {
      const rows = Array.from({ length: height }, (_, at) => row + at);
      if (rows.some((at) => (busyUntil[at] ?? 0) > start)) continue;
      for (const at of rows) busyUntil[at] = end;
      return [{ pull, row }];
    }
    return [];
  });
}

/** Returns the lane; undefined if no layer was downloaded. */
export function pullsLane(
  pod: PodTrack,
  spanOf: (id: number) => SpanRecord | undefined,
  group: string | undefined,
  words: TimelineWords,
): Lane | undefined {
  const pulls = pullsOf(pod);
  if (pulls.length === 0) return undefined;
  const items = placed(pulls).flatMap(({ pull, row }) => [
    summaryItem(pull, row, words, spanOf),
    ...pull.layers.flatMap((layer, at) => layerItems(layer, pull, row + 1 + at, words)),
  ]);
  return {
    id: `${pod.uid}/pulls`,
    kind: 'pulls',
    label: words.lanes.pulls,
    note: words.lanes.pullCount(pulls.length),
    group,
    rows: items.reduce((most, { row }) => Math.max(most, row + 1), 1),
    items: items.toSorted((a, b) => a.start - b.start || a.row - b.row),
    markers: [],
    settled: 0,
  };
}
