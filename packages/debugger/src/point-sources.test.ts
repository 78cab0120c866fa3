import { ruleMessages } from '@podscope/trace/explain';
import { describe, expect, it } from 'vitest';
import { pointSources } from './point-sources.generated.ts';
import { sourcesOf } from './point-sources.ts';

const older = { path: 'packages/kubelet/src/sync-pod/v1-20/sync-pod.ts', line: 67 };
const newer = { path: 'packages/kubelet/src/sync-pod/sync-pod.ts', line: 80 };
const folder = { path: 'packages/dockershim/src/container/v1-20/containers.ts', line: 5 };

describe('sources of a release', () => {
  it('omits the files of another release', () => {
    const points = { syncPod: [older, newer], list: [folder] };
    expect(sourcesOf({ points, decisions: {} }, 'v1.36').points).toEqual({ syncPod: [newer], list: [folder] });
    expect(sourcesOf({ points, decisions: {} }, 'v1.20').points).toEqual({ syncPod: [older, newer], list: [folder] });
  });
});

it('every rule of the engine has a text', () => {
  const rules = Object.keys(pointSources.decisions).filter((rule) => !rule.includes('*'));
  expect(rules.filter((rule) => !(rule in ruleMessages))).toEqual([]);
});
