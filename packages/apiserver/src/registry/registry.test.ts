import type { Pod, PodSpec } from '@podscope/k8s';
import { VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { baselinePolicy, findPolicyViolations, formatPolicyViolations } from '../admission/pod-security/policy.ts';
import { ApiError, forbidden } from '../api-errors.ts';
import { Storage } from '../storage/storage.ts';
import { Registry } from './registry.ts';
import { Strategies } from './strategies.ts';

let clock: VirtualClock;
let storage: Storage;
let registry: Registry;

beforeEach(() => {
  clock = new VirtualClock();
  storage = new Storage();
  let state = 1;
  registry = new Registry({
    storage,
    clock,
    random: () => {
      state = (state * 16_807) % 2_147_483_647;
      return state / 2_147_483_647;
    },
    strategies: new Strategies({
      nodeName: 'node',
      clock,
      serviceAccount: () => undefined,
      runtimeClass: () => undefined,
    }),
    admit: (kind, object) => {
      const violations = kind === 'Pod' ? findPolicyViolations(object as Pod, baselinePolicy) : [];
      if (violations.length > 0) throw forbidden('pods', object.metadata.name, formatPolicyViolations(violations));
    },
  });
  registry.create('Namespace', undefined, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'default', uid: '' },
  });
});

const submitted = (spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', uid: '', ...metadata },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36' }], ...spec },
});

const create = (spec?: Partial<PodSpec>, metadata?: Partial<Pod['metadata']>): Pod =>
  registry.create('Pod', 'default', submitted(spec, metadata));

/** Returns the change that sets a pod's ephemeral containers. */
const setEphemeral = (ephemeralContainers: PodSpec['ephemeralContainers']) => () =>
  registry.update('Pod', 'default', 'web', changeTo({ spec: { ephemeralContainers } }), {
    subresource: 'ephemeralcontainers',
  });

/** Returns the change that overlays parts of a pod. */
const changeTo =
  ({
    metadata,
    spec,
    status,
  }: {
    metadata?: Partial<Pod['metadata']>;
    spec?: Partial<PodSpec>;
    status?: Pod['status'];
  }) =>
  (current: Pod): Pod => ({
    ...current,
    metadata: { ...current.metadata, ...metadata },
    spec: { ...current.spec, ...spec },
    status: status ?? current.status,
  });

const failure = (action: () => unknown): ApiError => {
  try {
    action();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('did not fail');
};

describe('create', () => {
  it('sets the defaults of the API server and binds the pod to the node', () => {
    expect(create()).toMatchObject({
      metadata: {
        name: 'web',
        namespace: 'default',
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4/),
        creationTimestamp: '2026-01-01T00:00:00Z',
        generation: 1,
        resourceVersion: '3',
      },
      spec: { nodeName: 'node', restartPolicy: 'Always', terminationGracePeriodSeconds: 30, priority: 0 },
      status: { phase: 'Pending', qosClass: 'BestEffort', conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
  });

  it('generates a name from generateName', () => {
    expect(create({}, { name: '', generateName: 'web-' }).metadata.name).toMatch(
      /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/,
    );
  });

  it('stores nothing in a dry run', () => {
    registry.create('Pod', 'default', submitted(), { dryRun: true });
    expect(storage.list('Pod')).toEqual([]);
    create();
    expect(failure(() => registry.create('Pod', 'default', submitted(), { dryRun: true })).reason).toBe(
      'AlreadyExists',
    );
  });

  it.each<[string, () => unknown, Partial<ApiError>]>([
    ['one that exists', () => (create(), create()), { code: 409, message: 'pods "web" already exists' }],
    [
      'without an image',
      () => create({ containers: [{ name: 'app' }] }),
      { code: 422, message: 'Pod "web" is invalid: spec.containers[0].image: Required value' },
    ],
    [
      'in a namespace that is not there',
      () => registry.create('Pod', 'nowhere', submitted()),
      { code: 404, message: 'namespaces "nowhere" not found' },
    ],
    [
      'of another namespace',
      () => create({}, { namespace: 'other' }),
      { code: 400, message: 'the namespace of the provided object does not match the namespace sent on the request' },
    ],
    [
      'with a version',
      () => create({}, { resourceVersion: '1' }),
      { code: 400, message: 'resourceVersion should not be set on objects to be created' },
    ],
    [
      'against the policy',
      () => create({ hostNetwork: true }),
      {
        code: 403,
        message:
          'pods "web" is forbidden: violates PodSecurity "baseline:latest": host namespaces ' +
          '(hostNetwork=true); start the server with --allow-host-namespaces to permit it',
      },
    ],
  ])('rejects one %s', (_name, action, expected) => {
    expect(failure(action)).toMatchObject(expected);
  });

  it('reports every invalid field', () => {
    const { status } = failure(() =>
      create({ containers: [{ name: 'A', image: 'x' }], restartPolicy: 'Sometimes' as 'Always' }),
    );
    expect(status.details).toMatchObject({
      name: 'web',
      kind: 'Pod',
      causes: [
        { reason: 'FieldValueInvalid', field: 'spec.containers[0].name' },
        {
          reason: 'FieldValueNotSupported',
          field: 'spec.restartPolicy',
          message: expect.stringContaining('Unsupported value: "Sometimes"'),
        },
      ],
    });
  });
});

describe('update', () => {
  it('accepts another image and increases the generation', () => {
    const pod = create();
    const updated = registry.update('Pod', 'default', 'web', (current) => ({
      ...current,
      spec: { ...current.spec, containers: [{ ...pod.spec.containers[0], name: 'app', image: 'busybox:2' }] },
    }));
    expect(updated).toMatchObject({
      metadata: { generation: 2, uid: pod.metadata.uid },
      spec: { containers: [{ image: 'busybox:2' }] },
    });
  });

  it('rejects other changes of the spec', () => {
    create();
    const error = failure(() =>
      registry.update('Pod', 'default', 'web', (current) => ({ ...current, spec: { ...current.spec, hostname: 'x' } })),
    );
    expect(error.message).toMatch(
      /^Pod "web" is invalid: spec: Forbidden: pod updates may not change fields other than `spec.containers\[\*\].image`/,
    );
  });

  it('ignores changes of the status outside its subresource', () => {
    create();
    const change = changeTo({ metadata: { labels: { a: 'b' } }, status: { phase: 'Running' } });
    expect(registry.update('Pod', 'default', 'web', change)).toMatchObject({
      metadata: { labels: { a: 'b' } },
      status: { phase: 'Pending' },
    });
    expect(registry.update('Pod', 'default', 'web', change, { subresource: 'status' }).status).toEqual({
      phase: 'Running',
    });
  });

  it('adds ephemeral containers by their subresource; rejects removals and privileged ones', () => {
    create();
    const debug = { name: 'debug', image: 'busybox:1.36' };
    expect(setEphemeral([debug])().spec.ephemeralContainers).toMatchObject([
      { name: 'debug', imagePullPolicy: 'IfNotPresent' },
    ]);
    expect(failure(setEphemeral([])).message).toContain('existing ephemeral containers "debug" may not be removed');
    expect(
      failure(setEphemeral([debug, { ...debug, name: 'root', securityContext: { privileged: true } }])),
    ).toMatchObject({ code: 403 });
  });

  it('rejects an outdated resource version', () => {
    const pod = create();
    registry.update('Pod', 'default', 'web', (current) => ({
      ...current,
      metadata: { ...current.metadata, labels: { a: 'b' } },
    }));
    expect(failure(() => registry.update('Pod', 'default', 'web', () => pod))).toMatchObject({
      code: 409,
      reason: 'Conflict',
    });
  });

  it('rejects changes of the deletion timestamp', () => {
    create();
    const change = changeTo({ metadata: { deletionTimestamp: '2020-01-01T00:00:00Z' } });
    expect(failure(() => registry.update('Pod', 'default', 'web', change)).message).toContain(
      'metadata.deletionTimestamp: Invalid value: "2020-01-01T00:00:00Z": field is immutable',
    );
  });
});

describe('delete', () => {
  it('sets the deletion fields with the grace period of the pod', () => {
    create({ terminationGracePeriodSeconds: 40 });
    const { object, removed } = registry.delete('Pod', 'default', 'web');
    expect(removed).toBe(false);
    expect(object.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:40Z',
      deletionGracePeriodSeconds: 40,
      generation: 2,
    });
  });

  it('accepts a shorter grace period and ignores a longer one', async () => {
    create();
    registry.delete('Pod', 'default', 'web');
    await clock.advance(5_000);
    expect(registry.delete('Pod', 'default', 'web', { gracePeriodSeconds: 10 }).object.metadata).toMatchObject({
      deletionTimestamp: '2026-01-01T00:00:10Z',
      deletionGracePeriodSeconds: 10,
    });
    const before = storage.get('Pod', 'default', 'web');
    expect(registry.delete('Pod', 'default', 'web', { gracePeriodSeconds: 20 }).object).toBe(before);
    expect(registry.delete('Pod', 'default', 'web', { gracePeriodSeconds: 0 }).removed).toBe(true);
    expect(storage.get('Pod', 'default', 'web')).toBeUndefined();
  });

  it.each(['Succeeded', 'Failed'] as const)('removes a pod at once that has %s', (phase) => {
    create();
    storage.update('Pod', 'default', 'web', (pod) => ({ ...pod, status: { phase } }));
    expect(registry.delete('Pod', 'default', 'web').removed).toBe(true);
  });

  it('rejects a deletion whose preconditions fail', () => {
    create();
    expect(failure(() => registry.delete('Pod', 'default', 'web', { preconditions: { uid: 'other' } })).reason).toBe(
      'Conflict',
    );
    expect(failure(() => registry.delete('Pod', 'default', 'gone')).message).toBe('pods "gone" not found');
  });

  it('keeps an object until its finalizers are removed', () => {
    create({}, { finalizers: ['example.com/hold'] });
    expect(registry.delete('Pod', 'default', 'web', { gracePeriodSeconds: 0 })).toMatchObject({
      removed: false,
      object: { metadata: { deletionGracePeriodSeconds: 0 } },
    });
    registry.update('Pod', 'default', 'web', (pod) => ({ ...pod, metadata: { ...pod.metadata, finalizers: [] } }));
    expect(storage.get('Pod', 'default', 'web')).toBeUndefined();
  });

  it('changes nothing in a dry run', () => {
    const pod = create();
    registry.delete('Pod', 'default', 'web', { dryRun: true });
    expect(storage.get('Pod', 'default', 'web')).toBe(pod);
  });

  it('rejects new objects in a terminating namespace', () => {
    registry.create('Namespace', undefined, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'team', uid: '' },
    });
    expect(registry.delete('Namespace', undefined, 'team')).toMatchObject({
      removed: false,
      object: { status: { phase: 'Terminating' } },
    });
    expect(failure(() => registry.create('Pod', 'team', submitted({}, { name: 'late' }))).message).toBe(
      'pods "late" is forbidden: unable to create new content in namespace team because it is being terminated',
    );
  });

  it('rejects the deletion of the default namespace', () => {
    expect(failure(() => registry.delete('Namespace', undefined, 'default')).message).toBe(
      'namespaces "default" is forbidden: this namespace may not be deleted',
    );
  });
});

describe('config maps and secrets', () => {
  it('reject changes when they are immutable', () => {
    registry.create('ConfigMap', 'default', {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', uid: '' },
      data: { a: '1' },
      immutable: true,
    });
    const error = failure(() =>
      registry.update('ConfigMap', 'default', 'c', (current) => ({ ...current, data: { a: '2' } })),
    );
    expect(error.message).toBe('ConfigMap "c" is invalid: data: Forbidden: field is immutable when `immutable` is set');
  });

  it('merge stringData into data', () => {
    const secret = registry.create('Secret', 'default', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', uid: '' },
      stringData: { a: 'hello' },
    });
    expect(secret).toMatchObject({ type: 'Opaque', data: { a: 'aGVsbG8=' } });
    expect(secret.stringData).toBeUndefined();
  });
});
