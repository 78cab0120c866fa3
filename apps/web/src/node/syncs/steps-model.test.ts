import { syncPodPoints } from '@podscope/flow';
import { RunFold, type TraceEvent } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { type StepDefinition, syncAround, syncInView, syncView, verdictOf } from './steps-model.ts';

const definitions = Object.values(syncPodPoints).map(
  ({ id, step, title, description = '' }): StepDefinition => ({ id, step: step ?? 0, title, description }),
);

function view(events: readonly TraceEvent[], uid: string, number?: number) {
  const run = new RunFold();
  run.applyAll(events);
  const pod = run.pod(uid);
  const sync = number === undefined ? pod?.syncs.at(-1) : pod?.syncs[number - 1];
  if (!pod || !sync) throw new Error('the story has no such sync');
  const spanOf = (id: number | undefined) => (id === undefined ? undefined : run.span(id));
  return { pod, spanOf, ...syncView(definitions, sync, spanOf, pod.stoppedAt) };
}

const states = (steps: readonly { readonly definition: StepDefinition; readonly state: string }[]) =>
  Object.fromEntries(steps.map(({ definition, state }) => [definition.id.replace('syncPod.', ''), state]));

describe('syncView', () => {
  const story = crashLoop(2);

  it('distinguishes steps that ran from steps that were not needed', () => {
    expect(states(view(story.events, story.pod, 1).steps)).toEqual({
      computePodActions: 'done',
      killPod: 'skipped',
      killContainers: 'skipped',
      createPodSandbox: 'done',
      onPodSandboxReady: 'skipped',
      startEphemeralContainers: 'skipped',
      startInitContainers: 'done',
      resizePodInPlace: 'skipped',
      startContainers: 'skipped',
    });
  });

  it('shows a running sync', () => {
    const opened = story.events.findIndex(
      (event) => event.type === 'spanStarted' && event.point === 'syncPod.createPodSandbox',
    );
    const { steps } = view(story.events.slice(0, opened + 1), story.pod);
    expect(states(steps)).toMatchObject({
      computePodActions: 'done',
      killPod: 'skipped',
      createPodSandbox: 'running',
      startContainers: 'pending',
    });
  });

  it('assigns results to their steps and the rest to the sync', () => {
    const { steps, otherResults } = view(story.events, story.pod);
    expect(steps.find(({ definition }) => definition.id === 'syncPod.startContainers')?.results).toMatchObject([
      { action: 'StartContainer', target: 'app', error: 'CrashLoopBackOff' },
    ]);
    expect(otherResults).toEqual([]);
  });

  it('returns the sync that contains a call', () => {
    const { pod, spanOf } = view(story.events, story.pod);
    const call = story.events.findLast(
      (event) => event.type === 'spanStarted' && event.point === 'cri.CreateContainer',
    );
    expect(syncAround(pod, spanOf, call?.span)?.number).toBe(pod.syncs.length - 1);
  });

  it('reports a step as waiting when its container is in back-off', () => {
    const { steps } = view(story.events, story.pod);
    expect(states(steps)).toMatchObject({ startContainers: 'postponed' });
    expect(verdictOf([])).toBe('done');
  });

  it('prefers the requested sync, then that of the selection, then the latest', () => {
    const { pod, spanOf } = view(story.events, story.pod);
    const last = pod.syncs.length;
    const call = story.events.find((event) => event.type === 'spanStarted' && event.point === 'cri.RunPodSandbox');
    const number = (sync?: number, selected?: number) => syncInView(pod, spanOf, sync, selected)?.number;
    expect([number(), number(2), number(undefined, call?.span), number(2, call?.span), number(999)]).toEqual([
      last,
      2,
      1,
      2,
      last,
    ]);
  });
});
