import type { FlowOptions } from '@podscope/flow';
import { RunFold } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { type RowOptions, stepDepths, stepRows } from './step-rows.ts';
import { stepTree, treeWithoutSync } from './step-tree.ts';

const flow: FlowOptions = { release: 'v1.36', runtime: 'simulated' };

const story = crashLoop(1);
const run = new RunFold();
run.applyAll(story.events);
const spanOf = (id: number | undefined) => (id === undefined ? undefined : run.span(id));

function tree() {
  const pod = run.pod(story.pod);
  const sync = pod?.syncs[0];
  if (!pod || !sync) throw new Error('the story has no sync');
  return stepTree(flow, sync, spanOf, pod);
}

const rowsWith = (options: Partial<RowOptions>, path: readonly number[] = []) =>
  stepRows(tree(), new Set(path), { depth: 'kuberuntime', hideNotRun: false, toggled: new Map(), ...options });

const points = (rows: ReturnType<typeof rowsWith>): readonly string[] => rows.map(({ node }) => node.point);

describe('stepRows', () => {
  it('shows more at each depth', () => {
    const lengths = stepDepths.map((depth) => rowsWith({ depth }).length);
    expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    expect(new Set(lengths).size).toBeGreaterThan(3);
  });

  it('ends at the steps of the kubelet, or at those of kuberuntime', () => {
    expect(points(rowsWith({ depth: 'kubelet' }))).not.toContain('kuberuntime.SyncPod');
    const rows = points(rowsWith({ depth: 'kuberuntime' }));
    expect(rows).toContain('syncPod.createPodSandbox');
    expect(rows).not.toContain('cri.RunPodSandbox');
  });

  it('keeps steps that were not needed closed at any depth', () => {
    const rows = rowsWith({ depth: 'all' });
    expect(rows.filter(({ node, isOpen }) => node.state === 'skipped' && isOpen)).toEqual([]);
    expect(points(rows)).toContain('cri.RunPodSandbox');
  });

  it('hides steps that did not run, and the arrow of a step that has no others', () => {
    const rows = rowsWith({ hideNotRun: true, depth: 'all' });
    expect(rows.every(({ node }) => node.span !== undefined)).toBe(true);
    expect(rows.find(({ node }) => node.point === 'syncPod.computePodActions')?.isOpen).toBeUndefined();
  });

  it('opens the path to a span whatever the depth', () => {
    const call = story.events.find((event) => event.type === 'spanStarted' && event.point === 'cri.RunPodSandbox');
    const path: number[] = [];
    for (let span = spanOf(spanOf(call?.span)?.parent); span; span = spanOf(span.parent)) path.push(span.id);
    expect(points(rowsWith({ depth: 'kubelet' }, path))).toContain('cri.RunPodSandbox');
  });

  it('keeps what the user opened and closed', () => {
    const key = rowsWith({}).find(({ node }) => node.point === 'syncPod.createPodSandbox')?.node.key ?? '';
    expect(points(rowsWith({ toggled: new Map([[key, true]]) }))).toContain('cri.RunPodSandbox');
    const root = rowsWith({})[0]?.node.key ?? '';
    expect(rowsWith({ toggled: new Map([[root, false]]) })).toHaveLength(1);
  });

  it('contains level, position, number of siblings and parent of each row', () => {
    const rows = rowsWith({});
    const [root] = rows;
    expect(root).toMatchObject({ level: 1, position: 1, siblings: 1, parent: -1, isOpen: true });
    for (const { level, parent } of rows.slice(1)) expect(rows[parent]?.level).toBe(level - 1);
  });

  it('shows the flow before the first sync', () => {
    const rows = stepRows(treeWithoutSync(flow, 'pending'), new Set(), {
      depth: 'kuberuntime',
      hideNotRun: false,
      toggled: new Map(),
    });
    expect(points(rows)).toContain('syncPod.startContainers');
    expect(points(rows)).toContain('kubelet.SyncTerminatingPod');
    expect(points(rows)).not.toContain('kubelet.syncTerminatingPod.killPod');
  });
});
