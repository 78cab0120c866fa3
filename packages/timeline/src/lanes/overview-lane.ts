/** Draws a whole pod as one lane: its phase, and a thin row for each container. */
import type { Lane } from '../model.ts';
import { inOrder, isContainerLane, thinRows } from './arrange-lanes.ts';

/** Returns the overview lane of a pod. It is built from the pod's other lanes. */
export function overviewLane(uid: string, name: string, lanes: readonly Lane[]): Lane {
  const phase = lanes.find(({ kind }) => kind === 'phase');
  const containers = lanes.filter(isContainerLane);
  return {
    id: `${uid}/overview`,
    kind: 'overview',
    label: name,
    note: phase?.note,
    rows: 1 + containers.length,
    items: inOrder([...(phase?.items.map((item) => ({ ...item, row: 0 })) ?? []), ...thinRows(containers, 1)]),
    markers: [],
    settled: 0,
  };
}
