import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writableSchemas } from '../schema/kinds.ts';
import { ApplyConflictError, applyConfiguration, type FieldManager, trackUpdate } from './field-manager.ts';
import { type FieldSet, formatFieldPath, fromFieldsV1, sameFields, toFieldsV1 } from './field-set.ts';
import { compareFields, fieldsOf } from './structure.ts';

const schema = writableSchemas.Pod;
const by = (name: string, second = 0): FieldManager => ({
  name,
  apiVersion: 'v1',
  time: `2026-01-01T00:00:0${second}Z`,
});

const pod = (spec: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', ...metadata },
  spec,
});
const app = (more: object = {}) => ({ name: 'app', image: 'busybox:1.36', ...more });

type Object = Readonly<Record<string, unknown>>;
interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly time: string;
  readonly fieldsV1: object;
}

const apply = (live: Object | undefined, configuration: object, manager: FieldManager, force = false): Object =>
  applyConfiguration(schema, live, { ...configuration }, manager, force);
const entries = (object: Object): readonly Entry[] =>
  (object['metadata'] as { managedFields: readonly Entry[] }).managedFields;
const ownersOf = (object: Object): string[] =>
  entries(object).map(({ manager, operation }) => `${manager} ${operation}`);
const updated = (live: Object | undefined, next: object, manager: FieldManager): Object => ({
  ...next,
  metadata: { ...(next as { metadata: object }).metadata, managedFields: trackUpdate(schema, live, next, manager) },
});

const conflictsOf = (run: () => unknown): ApplyConflictError => {
  try {
    run();
  } catch (error) {
    if (error instanceof ApplyConflictError) return error;
    throw error;
  }
  throw new Error('there is no conflict');
};

describe('field sets', () => {
  const object = pod(
    {
      nodeSelector: { disk: 'ssd' },
      volumes: [{ name: 'scratch', emptyDir: {} }],
      containers: [
        app({
          command: ['sh', '-c'],
          ports: [{ containerPort: 80 }],
          env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
        }),
      ],
    },
    { labels: { app: 'web' }, finalizers: ['a/b'] },
  );

  it('identify list items by key and atomic values as a whole', () => {
    expect([...fieldsOf(schema, object)].map(formatFieldPath).toSorted()).toEqual(
      [
        '.apiVersion',
        '.kind',
        '.metadata.finalizers[="a/b"]',
        '.metadata.labels.app',
        '.metadata.name',
        '.spec.containers[name="app"]',
        '.spec.containers[name="app"].command',
        '.spec.containers[name="app"].env[name="A"]',
        '.spec.containers[name="app"].env[name="A"].name',
        '.spec.containers[name="app"].env[name="A"].valueFrom.fieldRef',
        '.spec.containers[name="app"].image',
        '.spec.containers[name="app"].name',
        '.spec.containers[name="app"].ports[containerPort=80,protocol="TCP"]',
        '.spec.containers[name="app"].ports[containerPort=80,protocol="TCP"].containerPort',
        '.spec.nodeSelector',
        '.spec.volumes[name="scratch"]',
        '.spec.volumes[name="scratch"].emptyDir',
        '.spec.volumes[name="scratch"].name',
      ].toSorted(),
    );
  });

  it('survive a round trip through fieldsV1', () => {
    expect(toFieldsV1(fieldsOf(schema, pod({ containers: [app()] })))).toMatchObject({
      'f:spec': { 'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:image': {}, 'f:name': {} } } },
    });
    const key = fc.constantFrom('f:a', 'f:b', 'k:{"name":"x"}', 'v:"y"');
    fc.assert(
      fc.property(fc.array(fc.array(key, { minLength: 1, maxLength: 4 }), { maxLength: 8 }), (paths) => {
        const set: FieldSet = new Set(paths.map((path) => path.join('\0')));
        expect(sameFields(fromFieldsV1(toFieldsV1(set)) ?? new Set(), set)).toBe(true);
      }),
    );
  });

  it.each([[null], ['text'], [[]], [{ 'f:a': 1 }], [{ bad: {} }], [{ 'k:{': {} }], [{ 'k:1': {} }]])(
    'are undefined for the invalid input %j',
    (fields) => {
      expect(fromFieldsV1(fields)).toBeUndefined();
    },
  );

  it('list added, modified and removed fields of two objects', () => {
    const { added, modified, removed } = compareFields(
      schema,
      pod({ containers: [app({ tty: true })] }),
      pod({ containers: [app({ image: 'x', stdin: true })] }),
    );
    const shown = (set: FieldSet): string[] => [...set].map(formatFieldPath);
    expect({ added: shown(added), modified: shown(modified), removed: shown(removed) }).toEqual({
      added: ['.spec.containers[name="app"].stdin'],
      modified: ['.spec.containers[name="app"].image'],
      removed: ['.spec.containers[name="app"].tty'],
    });
  });
});

describe('applyConfiguration', () => {
  it('creates an object and owns the configured fields', () => {
    const made = apply(undefined, pod({ containers: [app()] }), by('alice'));
    expect(made).toMatchObject({ spec: { containers: [{ name: 'app' }] } });
    expect(entries(made)).toMatchObject([
      { manager: 'alice', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1' },
    ]);
  });

  it('changes only configured fields', () => {
    const live = pod({ containers: [app({ tty: true }), { name: 'log', image: 'l' }], nodeName: 'n' });
    expect(apply(live, pod({ containers: [app({ image: 'busybox:1.36' })] }), by('alice'))).toMatchObject({
      spec: live.spec,
    });
  });

  it('removes fields dropped from the configuration and keeps those of other managers', () => {
    const first = apply(
      undefined,
      pod({ containers: [app({ tty: true })] }, { labels: { a: '1', b: '2' } }),
      by('alice'),
    );
    const shared = apply(first, pod({ containers: [] }, { labels: { b: '2' } }), by('bob', 1));
    const second = apply(shared, pod({ containers: [app()] }), by('alice', 2));
    expect(second).toMatchObject({ metadata: { labels: { b: '2' } } });
    expect((second['metadata'] as { labels: object }).labels).toEqual({ b: '2' });
    expect((second['spec'] as { containers: object[] }).containers).toEqual([app()]);
  });

  it('removes an item only if no other manager owns part of it', () => {
    const two = apply(undefined, pod({ containers: [app(), { name: 'log', image: 'l' }] }), by('alice'));
    expect(
      (apply(two, pod({ containers: [app()] }), by('alice', 1))['spec'] as { containers: object[] }).containers,
    ).toEqual([app()]);
    const joined = apply(two, pod({ containers: [{ name: 'log', tty: true }] }), by('bob', 1));
    expect(
      (apply(joined, pod({ containers: [app()] }), by('alice', 2))['spec'] as { containers: object[] }).containers,
    ).toEqual([app(), { name: 'log', tty: true }]);
  });

  it('reports a conflict with the owner of a field', () => {
    const live = updated(undefined, pod({ containers: [app()] }, { labels: { a: '1' } }), by('kubectl-edit'));
    const one = conflictsOf(() => apply(live, pod({ containers: [app({ image: 'other' })] }), by('alice', 1)));
    expect(one.message).toBe(
      'Apply failed with 1 conflict: conflict with "kubectl-edit" using v1 at 2026-01-01T00:00:00Z: ' +
        '.spec.containers[name="app"].image',
    );
    expect(one.conflicts).toEqual([
      {
        message: 'conflict with "kubectl-edit" using v1 at 2026-01-01T00:00:00Z',
        field: '.spec.containers[name="app"].image',
      },
    ]);
    const two = conflictsOf(() =>
      apply(live, pod({ containers: [app({ image: 'other' })] }, { labels: { a: '2' } }), by('alice', 1)),
    );
    expect(two.message).toMatch(
      /^Apply failed with 2 conflicts: conflicts with "kubectl-edit" using v1 at \S+:\n- \.\S+\n- \.\S+$/,
    );
  });

  it('takes fields when forced and shares equal values', () => {
    const live = apply(undefined, pod({ containers: [app()] }), by('alice'));
    expect(ownersOf(apply(live, pod({ containers: [app()] }), by('bob', 1)))).toEqual(['alice Apply', 'bob Apply']);
    const forced = apply(live, pod({ containers: [{ name: 'app', image: 'other' }] }), by('bob', 1), true);
    expect(forced).toMatchObject({ spec: { containers: [{ image: 'other' }] } });
    expect(JSON.stringify(entries(forced)[0]?.fieldsV1)).not.toContain('f:image');
  });

  it('leaves ownership unchanged when nothing changes', () => {
    const live = apply(undefined, pod({ containers: [app()] }), by('alice'));
    expect(apply(live, pod({ containers: [app()] }), by('alice', 5))).toEqual(live);
  });

  it('assigns fields without an owner to before-first-apply', () => {
    const conflict = conflictsOf(() =>
      apply(pod({ containers: [app()] }), pod({ containers: [app({ image: 'other' })] }), by('alice')),
    );
    expect(conflict.message).toContain('conflict with "before-first-apply" using v1');
  });
});

describe('trackUpdate', () => {
  it('assigns a field to its last writer', () => {
    const first = updated(undefined, pod({ containers: [app()] }, { labels: { a: '1' } }), by('kubectl-create'));
    const next = updated(
      first,
      { ...first, metadata: { ...(first['metadata'] as object), labels: { a: '2' } } },
      by('kubectl-label', 1),
    );
    expect(entries(next).map(({ manager, fieldsV1 }) => [manager, JSON.stringify(fieldsV1).includes('f:a')])).toEqual([
      ['kubectl-create', false],
      ['kubectl-label', true],
    ]);
    expect(updated(next, next, by('kubectl-label', 2))).toEqual(next);
  });

  it('owns neither server-managed fields nor those of a subresource', () => {
    const [entry] = entries(
      updated(undefined, { ...pod({ containers: [app()] }, { uid: 'u' }), status: { phase: 'Running' } }, by('x')),
    );
    expect(JSON.stringify(entry?.fieldsV1)).not.toMatch(/f:uid|f:status|f:apiVersion/);
  });

  it('merges the oldest updates when there are more than ten', () => {
    let live: Object = pod({ containers: [app()] });
    for (let index = 0; index < 14; index += 1) {
      const labels = { ...(live['metadata'] as { labels?: object }).labels, [`l${index}`]: '1' };
      const manager = { ...by(`m${index}`), time: `2026-01-01T00:00:${10 + index}Z` };
      live = updated(live, { ...live, metadata: { ...(live['metadata'] as object), labels } }, manager);
    }
    expect(entries(live)).toHaveLength(10);
    expect(ownersOf(live)).toContain('ancient-changes Update');
  });
});
