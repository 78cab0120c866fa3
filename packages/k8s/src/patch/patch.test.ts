import { describe, expect, it } from 'vitest';
import { podData } from '../testing/pods.ts';
import { applyPatch, patchTypes } from './apply-patch.ts';

type Data = Record<string, unknown>;

const strategic = (kind: string, object: Data, patch: unknown): unknown =>
  applyPatch(patchTypes.strategic, kind, object, patch);
const spec = (pod: unknown): Data => (pod as { spec: Data }).spec;

describe('strategic merge patch', () => {
  const pod = podData({
    containers: [
      {
        name: 'app',
        image: 'a:1',
        env: [
          { name: 'A', value: '1' },
          { name: 'B', value: '2' },
        ],
        ports: [{ containerPort: 80, name: 'http' }],
        args: ['x', 'y'],
      },
      { name: 'side', image: 'b' },
    ],
    tolerations: [{ key: 'a' }],
    volumes: [{ name: 'data', emptyDir: {} }],
  });

  it('merges containers by name and keeps the others', () => {
    const result = spec(strategic('Pod', pod, { spec: { containers: [{ name: 'app', image: 'a:2' }] } }));
    expect(result['containers']).toMatchObject([{ name: 'app', image: 'a:2', args: ['x', 'y'] }, { name: 'side' }]);
    expect(spec(pod)['containers']).toMatchObject([{ image: 'a:1' }, {}]);
  });

  it.each([
    ['adds an element', [{ name: 'C', value: '3' }], ['A', 'B', 'C']],
    ['deletes by directive', [{ name: 'A', $patch: 'delete' }], ['B']],
    ['replaces the list', [{ $patch: 'replace' }, { name: 'Z', value: '9' }], ['Z']],
    ['ignores the deletion of a missing element', [{ name: 'Q', $patch: 'delete' }], ['A', 'B']],
  ])('%s', (_, env, names) => {
    const result = spec(strategic('Pod', pod, { spec: { containers: [{ name: 'app', env }] } }));
    expect((result['containers'] as { env: { name: string }[] }[])[0]?.env.map(({ name }) => name)).toEqual(names);
  });

  it('replaces lists without a merge key', () => {
    const result = spec(
      strategic('Pod', pod, { spec: { tolerations: [{ key: 'b' }], containers: [{ name: 'app', args: ['z'] }] } }),
    );
    expect(result).toMatchObject({ tolerations: [{ key: 'b' }], containers: [{ args: ['z'] }, {}] });
  });

  it('merges ports by number and mounts by path', () => {
    const result = spec(
      strategic('Pod', pod, {
        spec: { containers: [{ name: 'app', ports: [{ containerPort: 80, protocol: 'TCP' }, { containerPort: 81 }] }] },
      }),
    );
    expect(result['containers']).toMatchObject([
      { ports: [{ containerPort: 80, name: 'http', protocol: 'TCP' }, { containerPort: 81 }] },
      {},
    ]);
  });

  it('orders elements as specified, with the server’s own in between', () => {
    const patch = {
      spec: {
        '$setElementOrder/containers': [{ name: 'new' }, { name: 'side' }],
        containers: [{ name: 'new', image: 'n' }],
      },
    };
    const result = spec(strategic('Pod', pod, patch));
    expect((result['containers'] as { name: string }[]).map(({ name }) => name)).toEqual(['new', 'app', 'side']);
  });

  it('can reorder elements without changing them', () => {
    const result = spec(
      strategic('Pod', pod, { spec: { '$setElementOrder/containers': [{ name: 'side' }, { name: 'app' }] } }),
    );
    expect((result['containers'] as { name: string }[]).map(({ name }) => name)).toEqual(['side', 'app']);
  });

  it('clears a union with $retainKeys', () => {
    const volumes = [{ name: 'data', $retainKeys: ['name', 'hostPath'], hostPath: { path: '/x' } }];
    expect(spec(strategic('Pod', pod, { spec: { volumes } }))['volumes']).toEqual([
      { name: 'data', hostPath: { path: '/x' } },
    ]);
  });

  it('merges finalizers as a set', () => {
    const object = { metadata: { name: 'a', finalizers: ['x/a', 'x/b', 'x/c'] } };
    const patch = { metadata: { finalizers: ['x/d', 'x/c'], '$deleteFromPrimitiveList/finalizers': ['x/a'] } };
    expect(strategic('ConfigMap', object, patch)).toEqual({
      metadata: { name: 'a', finalizers: ['x/b', 'x/c', 'x/d'] },
    });
  });

  it('removes fields with null, and replaces or deletes maps with directives', () => {
    const object = { metadata: { name: 'a', labels: { x: '1', y: '2' }, annotations: { k: 'v' } }, data: { a: '1' } };
    const patch = { metadata: { labels: { x: null, z: '3' }, annotations: null }, data: { $patch: 'replace', b: '2' } };
    expect(strategic('ConfigMap', object, patch)).toEqual({
      metadata: { name: 'a', labels: { y: '2', z: '3' } },
      data: { b: '2' },
    });
    expect(strategic('ConfigMap', object, { data: { $patch: 'delete' } })).toMatchObject({ data: {} });
  });

  it('merges conditions of a status by type', () => {
    const object = { ...pod, status: { conditions: [{ type: 'Ready', status: 'False' }] } };
    const patch = {
      status: {
        conditions: [
          { type: 'Ready', status: 'True' },
          { type: 'Initialized', status: 'True' },
        ],
      },
    };
    expect(strategic('Pod', object, patch)).toMatchObject({
      status: { conditions: [{ type: 'Ready', status: 'True' }, { type: 'Initialized' }] },
    });
  });

  it('removes directives and nulls from added values', () => {
    const patch = {
      spec: {
        initContainers: [{ name: 'i', image: 'i', command: null, $retainKeys: ['name', 'image'] }],
        '$setElementOrder/initContainers': [{ name: 'i' }],
      },
    };
    expect(spec(strategic('Pod', pod, patch))['initContainers']).toEqual([{ name: 'i', image: 'i' }]);
  });

  it.each([
    [{ spec: { containers: [{ image: 'x' }] } }, 'map: {"image":"x"} does not contain declared merge key: name'],
    [{ spec: { containers: ['x'] } }, 'the items of this list must be objects with name'],
    [{ $patch: 'explode' }, 'unknown patch type found: "explode"'],
    [[], 'error decoding patch: a strategic merge patch is an object'],
    [
      { spec: { volumes: [{ name: 'data', $retainKeys: ['name'], hostPath: {} }] } },
      'retainKeys list must contain all the keys present in the patch: "hostPath" is missing',
    ],
  ])('throws for %j', (patch, message) => {
    expect(() => strategic('Pod', pod, patch)).toThrow(message);
  });
});

describe('JSON merge patch', () => {
  // The examples of RFC 7386, appendix A, whose result is an object.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('patches %j with %j', (target, patch, result) => {
    expect(applyPatch(patchTypes.merge, 'Pod', target, patch)).toEqual(result);
  });
});

describe('JSON patch', () => {
  const target = { a: { b: [1, 2, 3] }, 'x/y': { '~': 1 } };

  it.each([
    [[{ op: 'add', path: '/a/b/1', value: 9 }], { a: { b: [1, 9, 2, 3] }, 'x/y': { '~': 1 } }],
    [[{ op: 'add', path: '/a/b/-', value: 9 }], { a: { b: [1, 2, 3, 9] }, 'x/y': { '~': 1 } }],
    [[{ op: 'replace', path: '/x~1y/~0', value: 2 }], { a: { b: [1, 2, 3] }, 'x/y': { '~': 2 } }],
    [[{ op: 'remove', path: '/a/b/0' }], { a: { b: [2, 3] }, 'x/y': { '~': 1 } }],
    [[{ op: 'move', from: '/a/b', path: '/c' }], { a: {}, 'x/y': { '~': 1 }, c: [1, 2, 3] }],
    [[{ op: 'copy', from: '/a/b/2', path: '/c' }], { a: { b: [1, 2, 3] }, 'x/y': { '~': 1 }, c: 3 }],
    [[{ op: 'test', path: '/a/b', value: [1, 2, 3] }], target],
    [[{ op: 'test', path: '/nothing', value: null }], target],
  ])('applies %j', (patch, result) => {
    expect(applyPatch(patchTypes.json, 'Pod', target, patch)).toEqual(result);
    expect(target).toEqual({ a: { b: [1, 2, 3] }, 'x/y': { '~': 1 } });
  });

  it.each([
    [[{ op: 'test', path: '/a/b/0', value: 2 }], 'testing value /a/b/0 failed'],
    [[{ op: 'remove', path: '/nothing' }], 'unable to remove nonexistent key: nothing'],
    [[{ op: 'replace', path: '/a/x/y', value: 1 }], 'doc is missing path: "/a/x/y"'],
    [[{ op: 'add', path: '/a/b/7', value: 1 }], 'index 7 is out of bounds'],
    [[{ op: 'add', path: '/a/b/01', value: 1 }], '"01" is not a list index'],
    [[{ op: 'move', from: '/a', path: '/a/b' }], 'can not be moved into itself'],
    [[{ op: 'jump', path: '/a' }], 'error decoding patch'],
    [[{ op: 'add', path: 'a', value: 1 }], 'must be empty or start with /'],
    [{}, 'error decoding patch'],
    [[{ op: 'replace', path: '', value: 1 }], 'the patch does not leave an object'],
  ])('throws for %j', (patch, message) => {
    expect(() => applyPatch(patchTypes.json, 'Pod', target, patch)).toThrow(message);
  });

  it('treats __proto__ as an ordinary key', () => {
    const result = applyPatch(
      patchTypes.json,
      'Pod',
      {},
      JSON.parse('[{"op":"add","path":"/__proto__","value":{"x":1}}]'),
    );
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
    expect(Object.keys(result)).toEqual(['__proto__']);
  });
});
