import { describe, expect, it } from 'vitest';
import { yamlCursor } from './yaml-cursor.ts';

/** Returns the cursor's path and edited part. In the text, `|` marks the cursor. */
function at(text: string) {
  const before = text.slice(0, text.indexOf('|'));
  const line = before.split('\n').length - 1;
  const cursor = yamlCursor(text.replace('|', ''), line, before.length - (before.lastIndexOf('\n') + 1));
  return (
    cursor && {
      path: cursor.path.join('.'),
      writes: cursor.writes,
      typed: cursor.typed,
      siblings: [...cursor.siblings].join(' '),
    }
  );
}

describe('yamlCursor', () => {
  it.each([
    ['the outermost', 'api|', { path: '', writes: 'key', typed: 'api', siblings: '' }],
    ['a member', 'kind: Pod\nspec:\n  res|', { path: 'spec', writes: 'key', typed: 'res', siblings: '' }],
    [
      'a value',
      'spec:\n  restartPolicy: Al|',
      { path: 'spec.restartPolicy', writes: 'value', typed: 'Al', siblings: '' },
    ],
    [
      'a list item',
      'spec:\n  containers:\n    - na|',
      { path: 'spec.containers', writes: 'key', typed: 'na', siblings: '' },
    ],
    [
      'a member of an item',
      'spec:\n  containers:\n    - name: app\n      im|',
      { path: 'spec.containers', writes: 'key', typed: 'im', siblings: 'name' },
    ],
    [
      'an item in the column of its list',
      'spec:\n  containers:\n  - name: app\n    im|\n    args: []\n  - image: x',
      { path: 'spec.containers', writes: 'key', typed: 'im', siblings: 'name args' },
    ],
    [
      'deep in an item',
      'spec:\n  containers:\n    - name: a\n      livenessProbe:\n        httpGet:\n          po|',
      { path: 'spec.containers.livenessProbe.httpGet', writes: 'key', typed: 'po', siblings: '' },
    ],
    [
      'after a deeper part',
      'spec:\n  containers:\n    - name: a\n  |',
      { path: 'spec', writes: 'key', typed: '', siblings: 'containers' },
    ],
    [
      'a second document',
      'kind: ConfigMap\ndata:\n  a: b\n---\nki|',
      { path: '', writes: 'key', typed: 'ki', siblings: '' },
    ],
    ['a comment', 'spec:\n  # ab|', undefined],
    ['flow style', 'spec: { a|', undefined],
  ])('%s', (_name, text, cursor) => {
    expect(at(text)).toEqual(cursor);
  });
});
