import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseFieldPath } from './field-path.ts';
import { parseManifests } from './manifests.ts';
import { readPods } from './read.ts';

function errorsOf(text: string): string[] {
  return parseManifests(text).errors.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

/** Parses an object of the kind X with these fields and returns its data. */
function dataOf(fields: string): Readonly<Record<string, unknown>> | undefined {
  return parseManifests(`apiVersion: v1\nkind: X\n${fields}`).objects[0]?.object;
}

describe('YAML scalars', () => {
  it.each([
    ['yes', true],
    ['Off', false],
    ['y', true],
    ['0644', 420],
    ['0o17', 15],
    ['0x1F', 31],
    ['1_000', 1000],
    ['10:30', '10:30'],
    ['2026-01-02', '2026-01-02'],
    ['1234e56', '1234e56'],
    ['1.5', 1.5],
    ['~', null],
    ['"yes"', 'yes'],
  ])('parses %s as Kubernetes does', (text, value) => {
    expect(dataOf(`field: ${text}\n`)).toEqual({ apiVersion: 'v1', kind: 'X', field: value });
  });

  it('merges maps and resolves aliases', () => {
    expect(dataOf('base: &base {a: 1}\nfield: {<<: *base, b: 2}\nagain: *base\n')).toMatchObject({
      field: { a: 1, b: 2 },
      again: { a: 1 },
    });
  });

  it('parses JSON with JSON semantics', () => {
    const text = '{\n\t"apiVersion": "v1",\n\t"kind": "X",\n\t"field": [1e3, "\\ud83d\\ude00", "a\\/b"]\n}';
    expect(parseManifests(text).errors).toEqual([]);
    expect(parseManifests(text).objects[0]?.object).toMatchObject({ field: [1000, '😀', 'a/b'] });
  });

  it('does not let a key modify the prototype', () => {
    const { pods } = readPods(
      'apiVersion: v1\nkind: Pod\nmetadata: {name: a, __proto__: {name: evil}}\nspec: {__proto__: {hostPID: ' +
        'true}, containers: [{name: a, image: a}]}\n',
    );
    expect(pods).toEqual([]);
    expect(({} as Record<string, unknown>)['hostPID']).toBeUndefined();
  });
});

describe('syntax errors', () => {
  it.each([
    ['a: b: c\n', '1:4 yaml: line 1: mapping values are not allowed in this context'],
    ['a:\n\t- b\n', '2:1 yaml: line 2: found a tab character where an indentation space is expected'],
    ['a: 1\nb: 2\na: 3\n', '3:1 yaml: line 3: key "a" already set in map'],
    ['a: "x\n', '2:1 yaml: line 2: missing closing "quote'],
    ['a: @x\n', '1:4 yaml: line 1: found character that cannot start any token'],
    ['a:\n  b: 1\n c: 2\n', '3:1 yaml: line 3: all mapping items must start at the same column'],
    ['{"a": 1, "a": 2}', '1:10 yaml: line 1: key "a" already set in map'],
    ['x: *nowhere\n', "1:4 yaml: unknown anchor 'nowhere' referenced"],
    ['just text\n', '1:1 expected an object with apiVersion and kind, found the text or number "just text"'],
    ['kind: 1\napiVersion: v1\n', '1:7 kind not set'],
  ])('reports the error of %j', (text, error) => {
    expect(errorsOf(text)).toEqual([error]);
  });
});

describe('limits', () => {
  it('rejects a text that exceeds the size limit', () => {
    expect(errorsOf(`# ${'x'.repeat(1_048_576)}`)).toEqual(['1:1 the manifest is larger than 1048576 bytes']);
    expect(parseManifests('ä'.repeat(60), { maxBytes: 100 }).errors).toMatchObject([
      { message: 'the manifest is larger than 100 bytes' },
    ]);
  });

  it.each([
    ['lists', '['.repeat(200_000)],
    ['block lists', '- '.repeat(200_000)],
    ['maps', '{a: '.repeat(200_000)],
    ['keys', '? '.repeat(200_000)],
    ['JSON', `{"a":${'['.repeat(100)}${']'.repeat(100)}}`],
  ])('rejects deeply nested %s', (_, text) => {
    expect(parseManifests(text).errors).toMatchObject([
      { message: 'the manifest is nested deeper than 64 levels', line: 1 },
    ]);
  });

  it.each([
    ['flow maps', '{} ', '1:4'],
    ['tags', '! ', '1:3'],
    ['anchors', '&a ', '1:4'],
  ])('returns only the first errors of a text that consists of errors: %s', (_, unit, place) => {
    const { errors } = parseManifests(unit.repeat(100_000));
    expect(errors).toHaveLength(10);
    expect(`${errors[0]?.line}:${errors[0]?.column}`).toBe(place);
    expect(new Error('after').stack).toContain('manifests.test');
  });

  it('rejects too many documents', () => {
    expect(parseManifests('---\na: 1\n'.repeat(501)).errors.at(0)).toMatchObject({
      message: 'the manifest has more than 500 documents',
    });
  });

  it('rejects an anchor bomb', () => {
    const levels = Array.from(
      { length: 9 },
      (_, index) => `a${index + 1}: &a${index + 1} [${Array.from({ length: 9 }, () => `*a${index}`).join(', ')}]`,
    );
    expect(errorsOf(`a0: &a0 [x]\n${levels.join('\n')}\n`)).toEqual([
      '2:10 yaml: document contains excessive aliasing',
    ]);
  });

  it('returns a result for any text without throwing', () => {
    const yamlish = fc
      .array(
        fc.constantFrom(
          'a',
          ': ',
          '- ',
          '\n',
          '  ',
          '{',
          '}',
          '[',
          ']',
          '"',
          "'",
          '&x ',
          '*x',
          '|',
          '>',
          '---\n',
          '#',
          ',',
          '!',
          '?',
          '\t',
          '<<',
          '%',
          '\\',
        ),
      )
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(fc.string(), yamlish), (text) => {
        const { pods, errors } = readPods(text);
        expect(pods).toEqual([]);
        for (const { message } of errors) expect(message).not.toBe('');
      }),
      { numRuns: 500 },
    );
  });
});

describe('locate', () => {
  const text = `apiVersion: v1
kind: Pod
metadata:
  name: web
  annotations:
    example.com/owner: me
spec:
  nodeSelector: &sel
    disk: ssd
  containers:
  - name: app
    command: ["sh", "-c", "sleep 1"]
    ports:
    - containerPort: 80
    resources:
      limits:
        nvidia.com/gpu: 1
`;
  const [object] = parseManifests(text).objects;

  it.each([
    ['kind', 2, 7, true],
    ['metadata', 3, 1, true],
    ['metadata.annotations[example.com/owner]', 6, 24, true],
    ['spec.containers', 10, 3, true],
    ['spec.containers[0]', 11, 5, true],
    ['spec.containers[0].command[2]', 12, 27, true],
    ['spec.containers[0].ports[0].containerPort', 14, 22, true],
    ['spec.containers[0].ports[1].containerPort', 13, 5, false],
    ['spec.containers[0].resources.limits[nvidia.com/gpu]', 17, 25, true],
    ['spec.restartPolicy', 7, 1, false],
    ['status.phase', 1, 1, false],
    ['', 1, 1, true],
  ])('locates %s', (path, line, column, exact) => {
    expect(object?.locate(path)).toMatchObject({ line, column, exact });
  });

  it('parses field paths', () => {
    expect(parseFieldPath('spec.containers[0].limits[nvidia.com/gpu]')).toEqual([
      'spec',
      'containers',
      0,
      'limits',
      'nvidia.com/gpu',
    ]);
    expect(parseFieldPath('')).toEqual([]);
  });
});
