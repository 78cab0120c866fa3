import { describe, expect, it } from 'vitest';
import { findPods } from './find-pods.ts';

describe('findPods', () => {
  it.each([
    ['a YAML manifest', 'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\n', [{ name: 'web', line: 1 }]],
    [
      'several documents with other kinds between them',
      'kind: Pod\nmetadata: { name: web }\n---\nkind: Service\n---\n# b\n\n\nkind: "Pod"\nmetadata: { name: db }\n',
      [
        { name: 'web', line: 0 },
        { name: 'db', line: 8 },
      ],
    ],
    ['JSON', '{\n  "metadata": { "name": "web" },\n  "kind": "Pod"\n}\n', [{ name: 'web', line: 2 }]],
    ['a pod without a name', 'kind: Pod\nmetadata: { generateName: web- }\n', [{ name: undefined, line: 0 }]],
    ['a manifest that is being typed', 'kind: Pod\nmetadata:\n  name: web\nspec: [', [{ name: 'web', line: 0 }]],
    ['kind in another place', 'kind: Deployment\nspec:\n  template:\n    kind: Pod\n', []],
    ['other kinds that begin with Pod', 'kind: PodDisruptionBudget\nmetadata: { name: web }\n', []],
    ['text that mentions a pod', 'a: "kind: Pod"\n', []],
    ['text without structure', 'kind: Pod is what the manifest says\n- 1', []],
    ['no text', '', []],
  ])('returns the pods of %s', (_, text, pods) => {
    expect(findPods(text)).toEqual(pods);
  });

  it('does not search a text of more than 1 MiB', () => {
    expect(findPods(`kind: Pod\n${'#'.repeat(1024 * 1024)}`)).toEqual([]);
  });
});
