import { expect, it } from 'vitest';
import { newPod } from '../testing/kubelet-harness.ts';
import { groupByPriority } from './shutdown-groups.ts';

const periods = [0, 100, 2_000_000_000].map((priority) => ({ priority, seconds: 10 }));

it.each([
  [undefined, 0],
  [-5, 0],
  [0, 0],
  [99, 0],
  [100, 1],
  [101, 1],
  [2_000_000_000, 2],
  [2_000_001_000, 2],
])('a pod of priority %s belongs to the group with index %i of the groups 0, 100 and 2000000000', (priority, index) => {
  const pod = newPod('web', priority === undefined ? {} : { priority });
  const groups = groupByPriority(periods, [pod]);
  expect(groups.map(({ pods }) => pods.length)).toEqual(periods.map((_, group) => (group === index ? 1 : 0)));
});
