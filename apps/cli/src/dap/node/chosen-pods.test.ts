import { expect, it } from 'vitest';
import { onlyPods } from './chosen-pods.ts';

const manifest = `# two pods and what they need
kind: ConfigMap
metadata: { name: settings }
---
kind: Pod
metadata:
  name: web
---
kind: Pod
metadata: { name: db } # the database
`;

it('removes the pods that are not named, and keeps other objects and line numbers', () => {
  const chosen = onlyPods(manifest, ['db']);
  expect(chosen.split('\n').map((line) => line.trimEnd())).toEqual([
    '# two pods and what they need',
    'kind: ConfigMap',
    'metadata: { name: settings }',
    '---',
    '',
    '',
    '',
    '---',
    'kind: Pod',
    'metadata: { name: db } # the database',
    '',
  ]);
});

it('returns the manifest unchanged without names, and when it is not valid', () => {
  expect(onlyPods(manifest, undefined)).toBe(manifest);
  expect(onlyPods('kind: Pod\nspec: [', ['web'])).toContain('spec: [');
});
