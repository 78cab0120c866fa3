import { describe, expect, it } from 'vitest';
import { type CodeEntry, findSources, firstDefinition } from './code-place.ts';

const entries: readonly CodeEntry[] = [
  { path: 'packages/kuberuntime/src/sync/sync-pod.ts', line: undefined, name: undefined },
  { path: 'packages/kuberuntime/src/kill/kill-container.ts', line: undefined, name: undefined },
  { path: 'packages/kubelet/src/sync-pod/sync-pod.ts', line: undefined, name: undefined },
  { path: 'packages/kubelet/src/sync-pod/sync-pod.ts', line: 40, name: 'Kubelet.SyncPod' },
];

describe('findSources', () => {
  it('finds files by the words of their path', () => {
    expect(findSources(entries, 'kubelet sync').map(({ path, name }) => name ?? path)).toEqual([
      'Kubelet.SyncPod',
      'packages/kubelet/src/sync-pod/sync-pod.ts',
    ]);
  });

  it('ranks names that begin with the query first', () => {
    expect(findSources(entries, 'kill')[0]?.path).toBe('packages/kuberuntime/src/kill/kill-container.ts');
  });

  it('returns everything for an empty query and nothing without a match', () => {
    expect(findSources(entries, '')).toHaveLength(4);
    expect(findSources(entries, 'nonsense')).toEqual([]);
  });
});

it('opens a source at its first function instead of its imports', () => {
  expect(firstDefinition("/** About. */\nimport { x } from './x.ts';\n\nexport async function run() {}\n")).toBe(4);
  expect(firstDefinition('export const steps = [];\n')).toBe(1);
});
