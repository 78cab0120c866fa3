import { spansBegun } from '@podscope/classroom';
import { findScenario } from '@podscope/scenarios';
import { playThrough } from '@podscope/scenarios/whole-run';
import { expect, it } from 'vitest';
import { playRequest } from './play-request.ts';

it.each([
  ['the first step of a sync, if asked one millisecond before the sync can begin', 'container-killed', 7.999, 0],
  ['a later step, if asked while the sync runs', 'one-container', 0.1, 1],
])('the next step is %s', async (_what, scenario, at, actual) => {
  const question = {
    id: 'q',
    kind: 'nextStep' as const,
    text: 'Which step comes next?',
    options: [
      { point: 'syncPod.computePodActions', title: 'Compute actions' },
      { point: 'syncPod.startContainers', title: 'Start containers' },
    ],
    scene: { scenario, profile: 'v1.36' as const, at },
  };
  expect(await playRequest({ kind: 'question', question })).toEqual({ kind: 'answer', actual });
});

it.each([
  ['before the sync computes its actions', 'kuberuntime.SyncPod', 0],
  ['in the same millisecond, after it has computed them', 'syncPod.computePodActions', 1],
])('the next step is judged from the event at which it is asked: %s', async (_when, point, actual) => {
  const scenario = findScenario('one-container');
  if (!scenario) throw new Error('there is no such scenario');
  const { begin, events } = await playThrough(scenario, 'v1.36', undefined);
  const [begun] = events.filter((event) => event.type === 'spanStarted' && event.point === point);
  if (!begun) throw new Error(`${point} never begins`);
  expect(begun.time).toBe(begin);
  const question = {
    id: 'q',
    kind: 'nextStep' as const,
    text: 'Which step comes next?',
    pod: 'default/one-container',
    options: ['syncPod.computePodActions', 'syncPod.createPodSandbox'].map((id) => ({ point: id, title: id })),
    scene: { scenario: scenario.id, profile: 'v1.36' as const, at: 0, spans: spansBegun(events, begun.pod, begun.seq) },
  };
  expect(await playRequest({ kind: 'question', question })).toEqual({ kind: 'answer', actual });
});
