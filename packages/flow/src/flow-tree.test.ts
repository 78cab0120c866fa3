import type { Point } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { levelsOf, stepIDs } from './flow-tree.ts';
import {
  type FlowNode,
  type FlowOptions,
  flowTree,
  gatesOfSteps,
  kubeletSyncPodPoints,
  kubeletSyncPodPointsV120,
  runPodSandboxPoints,
  stepsBelow,
  stepText,
  stepTextIDs,
  syncPodPoints,
  syncPodPointsOf,
  syncPodPointsV120,
} from './index.ts';
import type { Steps } from './level.ts';
import { allLevels } from './levels/all.ts';
import { criCalls } from './levels/cri.ts';
import { kubeletSyncPodSteps, kubeletSyncPodStepsV120 } from './levels/kubelet-sync-pod.ts';
import { syncPodSteps, syncPodStepsV120 } from './levels/kuberuntime.ts';
import { runPodSandboxSteps } from './levels/sandbox.ts';

const nodes: readonly FlowOptions[] = (['v1.36', 'v1.20'] as const).flatMap((release) =>
  (['docker', 'simulated'] as const).map((runtime) => ({ release, runtime, gates: { EphemeralContainers: true } })),
);

/** Returns the numbers, titles and gates of the tree as lines, indented by depth. */
const lines = (tree: readonly FlowNode[], depth: number, indent = ''): readonly string[] =>
  tree.flatMap(({ number, title, children }) => [
    `${indent}${number === undefined ? '' : `${number} `}${title}`,
    ...(depth > 1 ? lines(children, depth - 1, `${indent}  `) : []),
  ]);

describe('the levels', () => {
  it.each<[string, Readonly<Record<string, Point>>, Steps]>([
    ['the kubelet’s SyncPod in v1.36', kubeletSyncPodPoints, kubeletSyncPodSteps],
    ['the kubelet’s syncPod in v1.20', kubeletSyncPodPointsV120, kubeletSyncPodStepsV120],
    ['the runtime manager’s SyncPod in v1.36', syncPodPoints, syncPodSteps],
    ['the runtime manager’s SyncPod in v1.20', syncPodPointsV120, syncPodStepsV120],
    ['RunPodSandbox', runPodSandboxPoints, runPodSandboxSteps],
  ])('number the steps of %s from 1, in the order of the list', (_, points, steps) => {
    expect(Object.values(points).map(({ id, step }) => [id, step])).toEqual(
      Object.values(steps).map(({ id }, index) => [id, index + 1]),
    );
  });

  it('keep the numbers 6 and 7 in v1.20 when the ephemeral containers step is gated off', () => {
    const steps = (gates: Readonly<Record<string, boolean>>): unknown =>
      syncPodPointsOf('v1.20', gates).map(({ id, step }) => `${step} ${id.replace('syncPod.', '')}`);
    expect(steps({})).toEqual([
      '1 computePodActions',
      '2 killPod',
      '3 killContainers',
      '4 createPodSandbox',
      '6 startInitContainers',
      '7 startContainers',
    ]);
    expect(steps({ EphemeralContainers: true })).toContain('5 startEphemeralContainers');
  });

  it('have unique ids', () => {
    const ids = allLevels.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  it.each(nodes)('$release on $runtime: are below points that the release and runtime have', (options) => {
    const ids = new Set(levelsOf(options).flatMap(({ steps }) => Object.values(steps).map(({ id }) => id)));
    const lost = levelsOf(options).filter(({ under }) => under.length > 0 && !under.some((id) => ids.has(id)));
    // kubectl and metrics make some CRI calls that no step of the flow makes.
    expect(lost.map(({ id }) => id).filter((id) => !id.startsWith('docker below cri.'))).toEqual([]);
  });
});

describe('the texts', () => {
  it('have a title and a one-sentence description in both languages', () => {
    const broken = stepTextIDs.filter((id) => {
      const [english, chinese] = [stepText(id, 'en'), stepText(id, 'zh-CN')];
      return (
        !english?.title ||
        !chinese?.title ||
        !/^[A-Z].*\.$/.test(english.description) ||
        !chinese.description.endsWith('。')
      );
    });
    expect(broken).toEqual([]);
  });

  it.each(nodes)('$release on $runtime: have different titles among steps of the same kind', (options) => {
    const titles = new Map<string, Set<string>>();
    for (const { steps } of levelsOf(options))
      for (const { id, kind } of Object.values(steps)) {
        const key = `${kind} ${stepText(id, 'en')?.title ?? ''}`;
        titles.set(key, (titles.get(key) ?? new Set()).add(id));
      }
    expect([...titles.values()].filter((ids) => ids.size > 1).map((ids) => [...ids])).toEqual([]);
  });

  it('are undefined for an id that no step has', () => {
    expect(stepText('toString', 'en')).toBeUndefined();
  });
});

describe('the tree', () => {
  it('shows one sync of v1.36 down to the calls of startContainer', () => {
    const [worker] = flowTree({ release: 'v1.36' }).filter(({ id }) => id === 'kubelet.podWorkerLoop');
    expect(lines(worker?.children.filter(({ id }) => id === 'kubelet.SyncPod') ?? [], 3)).toMatchInlineSnapshot(`
      [
        "kubelet SyncPod",
        "  1 Latency",
        "  2 Generate the API status",
        "  3 Publish the status",
        "  4 Check the network",
        "  5 Pod cgroup",
        "    kuberuntime KillPod",
        "  6 Mirror pod",
        "  7 Data directories",
        "  8 Volumes",
        "  9 Pull secrets",
        "  10 Probe workers",
        "  11 Runtime SyncPod",
        "    kuberuntime SyncPod",
        "  12 Reason cache",
      ]
    `);
    expect(lines(stepsBelow('syncPod.startContainers', { release: 'v1.36' }), 2)).toMatchInlineSnapshot(`
      [
        "doBackOff",
        "startContainer",
        "  1 EnsureImageExists",
        "  Container configuration",
        "  PreCreateContainer",
        "  2 CreateContainer",
        "  PreStartContainer",
        "  3 StartContainer",
        "  Log link",
        "  4 postStart",
      ]
    `);
  });

  it('puts the steps of RunPodSandbox and their Docker and CNI calls below the CRI call', () => {
    const docker = stepsBelow('cri.RunPodSandbox', { release: 'v1.20', runtime: 'docker' });
    expect(lines(docker, 2)).toMatchInlineSnapshot(`
      [
        "1 Ensure the sandbox image",
        "  ImageInspect",
        "  ImagePull",
        "2 Create the sandbox container",
        "  Probe the engine for negative OOM scores",
        "  Probe the engine for its capabilities",
        "  ContainerCreate",
        "3 Write the checkpoint",
        "4 Start the sandbox container",
        "  ContainerStart",
        "  ContainerInspect",
        "5 Set up networking",
        "  ContainerInspect",
        "  ADD",
      ]
    `);
  });

  it.each(nodes)('gives no two steps of $release on $runtime the same title, nor a step and a CRI call', (options) => {
    const ids = new Set([...stepIDs(options), ...Object.values(criCalls).map(({ id }) => id)]);
    for (const language of ['en', 'zh-CN'] as const) {
      const titles = [...ids].map((id) => stepText(id, language)?.title);
      expect(titles.filter((title, at) => titles.indexOf(title) < at)).toEqual([]);
    }
  });

  it('derives the feature gates of a run from its steps', () => {
    expect(gatesOfSteps(new Set(['syncPod.startContainers']))).toEqual({ EphemeralContainers: false });
    expect(gatesOfSteps(new Set(['syncPod.startEphemeralContainers']))).toEqual({ EphemeralContainers: true });
  });

  it('omits a step whose gate is off', () => {
    const ids = (gates: Readonly<Record<string, boolean>>): readonly string[] =>
      stepsBelow('kuberuntime.SyncPod', { release: 'v1.20', gates }).map(({ id }) => id);
    expect(ids({})).not.toContain('syncPod.startEphemeralContainers');
    expect(ids({ EphemeralContainers: true })).toContain('syncPod.startEphemeralContainers');
  });

  it.each(nodes)('$release on $runtime: reaches every step of every level', (options) => {
    const reached = new Set<string>();
    const visit = (tree: readonly FlowNode[]): void => {
      for (const { level, id, children } of tree) {
        reached.add(`${level} ${id}`);
        visit(children);
      }
    };
    visit(flowTree(options));
    const all = levelsOf(options).flatMap(({ id, steps }) => Object.values(steps).map((step) => `${id} ${step.id}`));
    // kubectl and metrics make some CRI calls that no step of the flow makes.
    const outside = all.filter((step) => !reached.has(step) && !step.startsWith('docker below cri.'));
    expect(outside).toEqual([]);
  });
});
