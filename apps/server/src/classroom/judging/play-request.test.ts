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
