import { manifestSchemas, type Pod } from '@podscope/k8s';
import { VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { forbidden } from '../api-errors.ts';
import { Registry } from '../registry/registry.ts';
import { Strategies } from '../registry/strategies.ts';
import { Storage } from '../storage/storage.ts';
import { lastAppliedAnnotation, ManifestApplier } from './apply.ts';
import { threeWayPatch } from './three-way-patch.ts';

let storage: Storage;
let applier: ManifestApplier;

beforeEach(() => {
  const clock = new VirtualClock();
  storage = new Storage();
  const registry = new Registry({
    storage,
    clock,
    random: () => 0.5,
    strategies: new Strategies({
      nodeName: 'node',
      clock,
      serviceAccount: () => undefined,
      runtimeClass: () => undefined,
    }),
    admit: (kind, object) => {
      if (kind === 'Pod' && (object as Pod).spec.hostNetwork)
        throw forbidden('pods', object.metadata.name, 'no host network');
    },
  });
  registry.create('Namespace', undefined, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', uid: '' },
  });
  applier = new ManifestApplier({ registry, storage });
});

const manifest = (image = 'busybox:1.36', labels = '{ app: web }'): string => `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: ${labels}
spec:
  containers:
    - name: app
      image: ${image}
`;

const operations = (text: string): readonly string[] =>
  applier.apply(text).applied.map(({ kind, name, operation }) => `${kind}/${name} ${operation}`);

describe('apply', () => {
  it('creates a new pod, leaves an equal one unchanged and configures a changed one', () => {
    expect(operations(manifest())).toEqual(['Pod/web created']);
    expect(operations(manifest())).toEqual(['Pod/web unchanged']);
    expect(operations(manifest('busybox:2'))).toEqual(['Pod/web configured']);
    expect(storage.get('Pod', 'default', 'web')).toMatchObject({
      metadata: { generation: 2 },
      spec: { containers: [{ image: 'busybox:2' }] },
    });
  });

  it('removes labels dropped from the manifest and keeps those of other clients', () => {
    applier.apply(manifest('busybox:1.36', '{ app: web, tier: front }'));
    storage.update('Pod', 'default', 'web', (pod) => ({
      ...pod,
      metadata: { ...pod.metadata, labels: { ...pod.metadata.labels, other: 'x' } },
    }));
    applier.apply(manifest());
    expect(storage.get('Pod', 'default', 'web')?.metadata.labels).toEqual({ app: 'web', other: 'x' });
  });

  it('stores the manifest in the annotation of kubectl', () => {
    applier.apply(manifest());
    const text = storage.get('Pod', 'default', 'web')?.metadata.annotations?.[lastAppliedAnnotation];
    expect(JSON.parse(text ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { annotations: {}, name: 'web', labels: { app: 'web' } },
      spec: { containers: [{ name: 'app', image: 'busybox:1.36' }] },
    });
  });

  it('applies a namespace and a pod in it from one text', () => {
    const text =
      'apiVersion: v1\nkind: Namespace\nmetadata: { name: team }\n---\n' +
      manifest().replace('name: web', 'name: web\n  namespace: team');
    expect(operations(text)).toEqual(['Namespace/team created', 'Pod/web created']);
  });

  it('applies nothing when one document is invalid, and reports its line', () => {
    const text =
      `${manifest()}---\napiVersion: v1\nkind: Pod\nmetadata: { name: bad }\nspec:\n  containers:\n    - name: ` +
      'app\n';
    const { applied, errors } = applier.apply(text);
    expect(applied).toEqual([]);
    expect(errors).toMatchObject([
      { message: 'spec.containers[0].image: Required value', field: 'spec.containers[0].image', document: 1, line: 16 },
    ]);
    expect(storage.list('Pod')).toEqual([]);
  });

  it('applies nothing when the policy rejects one document', () => {
    const onHost = manifest().replace('name: web', 'name: host').replace('spec:', 'spec:\n  hostNetwork: true');
    const { errors } = applier.apply(`${manifest()}---\n${onHost}`);
    expect(errors).toEqual([
      { message: 'pods "host" is forbidden: no host network', document: 1, line: 11, column: 1 },
    ]);
    expect(storage.list('Pod')).toEqual([]);
  });

  it('rejects a change of an immutable field', () => {
    applier.apply(manifest());
    const { errors } = applier.apply(manifest().replace('spec:', 'spec:\n  hostname: other'));
    expect(errors[0]?.message).toContain('spec: Forbidden: pod updates may not change fields other than');
  });

  it.each([
    ['', 'There is no object in the manifest.'],
    [
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: x }',
      'no matches for kind "Deployment" in version "apps/v1"',
    ],
    ['a: [', 'yaml: line'],
  ])('returns the reason why %j is invalid', (text, message) => {
    expect(applier.validate(text).errors[0]?.message).toContain(message);
  });

  it('validates without storing', () => {
    expect(applier.validate(manifest()).applied).toMatchObject([{ kind: 'Pod', name: 'web', operation: 'valid' }]);
    expect(storage.list('Pod')).toEqual([]);
  });
});

describe('threeWayPatch', () => {
  it('removes fields, items and set members that the new manifest lacks', () => {
    const patch = threeWayPatch(
      manifestSchemas.Pod,
      {
        metadata: { labels: { a: '1', b: '2' }, finalizers: ['x/a', 'x/b'] },
        spec: {
          hostname: 'h',
          containers: [
            { name: 'a', image: '1', workingDir: '/' },
            { name: 'b', image: '1' },
          ],
          nodeSelector: { k: 'v' },
        },
      },
      {
        metadata: { labels: { a: '1' }, finalizers: ['x/a'] },
        spec: { containers: [{ name: 'a', image: '2' }], nodeSelector: {} },
      },
    );
    expect(patch).toEqual({
      metadata: { labels: { a: '1', b: null }, finalizers: ['x/a'], '$deleteFromPrimitiveList/finalizers': ['x/b'] },
      spec: {
        hostname: null,
        containers: [
          { name: 'a', image: '2', workingDir: null },
          { $patch: 'delete', name: 'b' },
        ],
        nodeSelector: { k: null },
      },
    });
  });
});
