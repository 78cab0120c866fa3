/** Tests generateAPIPodStatus of v1.20. Each row cites a row in sections 8 to 10 of the kubelet specification. */
import type { PodStatus as ApiPodStatus, ContainerStatus, Pod } from '@podscope/k8s';
import type { PodStatus, Status } from '@podscope/kuberuntime';
import { background, instant, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { kubeletProfiles } from '../../profiles/profiles.ts';
import { newPod } from '../../testing/kubelet-harness.ts';
import type { StatusInput } from '../status-input.ts';

const ctx = background(new VirtualClock(), new Tracer());
const { generateAPIPodStatus, gates } = kubeletProfiles['v1.20'];

type Change = Partial<Status> & { readonly name: string };

const runtimeStatus = ({ name, ...change }: Change, index = 0): Status => ({
  id: { type: 'docker', id: `${name}-${index}` },
  name,
  state: 'running',
  createdAt: instant(1000 - index),
  startedAt: instant(1000),
  finishedAt: undefined,
  exitCode: 0,
  image: 'busybox:1.36',
  imageID: 'sha256:1',
  imageRef: 'sha256:1',
  hash: 0,
  restartCount: 0,
  reason: '',
  message: '',
  ...change,
});

const podStatusOf = (containers: readonly Change[], ips: readonly string[] = ['10.0.0.7']): PodStatus => {
  const containerStatuses = containers.map(runtimeStatus);
  return {
    id: 'uid-web',
    name: 'web',
    namespace: 'default',
    ips,
    containerStatuses,
    activeContainerStatuses: containerStatuses,
    sandboxStatuses: [],
    timestamp: instant(1000),
  };
};

function generate(pod: Pod, containers: readonly Change[], change: Partial<StatusInput> = {}): ApiPodStatus {
  return generateAPIPodStatus(ctx, {
    pod,
    podStatus: podStatusOf(containers),
    cached: undefined,
    podIsTerminal: false,
    reasons: { get: () => undefined },
    probes: {
      result: () => undefined,
      hasWorker: () => false,
      triggerReadiness: () => undefined,
      startTime: instant(0),
    },
    nodeIPs: ['192.0.2.10'],
    shouldEvict: () => undefined,
    resizeConditions: [],
    gates,
    ...change,
  });
}

const image = 'busybox:1.36';
type Policy = 'Always' | 'OnFailure' | 'Never';
const two = (restartPolicy: Policy): Pod =>
  newPod('web', { restartPolicy, containers: ['a', 'b'].map((name) => ({ name, image })) });
const withInit = (restartPolicy: Policy): Pod =>
  newPod('web', { restartPolicy, initContainers: [{ name: 'i', image }], containers: [{ name: 'a', image }] });
const running = (name: string): Change => ({ name });
const exited = (name: string, exitCode = 0): Change => ({ name, state: 'exited', exitCode, finishedAt: instant(2000) });
const backOff: Partial<StatusInput> = {
  reasons: { get: () => ({ error: 'CrashLoopBackOff', message: 'back-off 10s' }) },
};

describe('the phase', () => {
  it.each<[string, string, Pod, readonly Change[], Partial<StatusInput>, string]>([
    ['8.2 #1', 'an init container failed under Never', withInit('Never'), [exited('i', 1)], {}, 'Failed'],
    ['8.2 #2', 'an init container failed under Always', withInit('Always'), [exited('i', 1)], {}, 'Pending'],
    ['8.2 #2', 'an init container runs', withInit('Always'), [running('i')], {}, 'Pending'],
    ['8.2 #4', 'a container waits for its first start', two('Always'), [running('a')], {}, 'Pending'],
    ['8.2 #5', 'all containers run', two('Always'), [running('a'), running('b')], {}, 'Running'],
    [
      '8.2 example',
      'one runs and one is in back-off',
      two('Always'),
      [running('a'), exited('b', 1)],
      backOff,
      'Running',
    ],
    ['8.2 #7', 'all containers exited under Always', two('Always'), [exited('a'), exited('b')], {}, 'Running'],
    ['8.2 #8', 'all containers succeeded under Never', two('Never'), [exited('a'), exited('b')], {}, 'Succeeded'],
    [
      '8.2 #8',
      'all containers succeeded under OnFailure',
      two('OnFailure'),
      [exited('a'), exited('b')],
      {},
      'Succeeded',
    ],
    ['8.2 #9', 'a container failed under Never', two('Never'), [exited('a'), exited('b', 1)], {}, 'Failed'],
    ['8.2 #10', 'a container failed under OnFailure', two('OnFailure'), [exited('a'), exited('b', 1)], {}, 'Running'],
  ])('%s: %s', (_spec, _name, pod, containers, change, phase) => {
    expect(generate(pod, containers, change).phase).toBe(phase);
  });

  it('8.1 step 7: keeps a terminal phase of the API', () => {
    const pod: Pod = { ...two('Always'), status: { phase: 'Failed' } };
    expect(generate(pod, [running('a'), running('b')]).phase).toBe('Failed');
  });

  it('8.1 step 6: returns early past the active deadline, without conditions and host IP', () => {
    const verdict = { reason: 'DeadlineExceeded', message: 'too long' };
    const status = generate(two('Always'), [running('a'), running('b')], { shouldEvict: () => verdict });
    expect(status).toMatchObject({ phase: 'Failed', ...verdict, conditions: [] });
    expect(status.hostIP).toBeUndefined();
  });
});

describe('the addresses', () => {
  const hostNetwork = newPod('web', { hostNetwork: true });

  it('8.1 step 10: gives a pod on the host network the addresses of the node', () => {
    const status = generate(hostNetwork, [], { podStatus: podStatusOf([], []) });
    expect(status).toMatchObject({ hostIP: '192.0.2.10', podIP: '192.0.2.10', podIPs: [{ ip: '192.0.2.10' }] });
  });

  it('8.1 step 10: gives a pod on the host network only the first address of a node with two', () => {
    const nodeIPs = ['192.0.2.10', '2001:db8::10'];
    const status = generate(hostNetwork, [], { podStatus: podStatusOf([], []), nodeIPs });
    expect(status.podIPs).toEqual([{ ip: '192.0.2.10' }]);
  });

  it('8.1: has neither a host IP nor, on the host network, a pod IP without an API server', () => {
    const status = generate(hostNetwork, [], { podStatus: podStatusOf([], []), nodeIPs: [] });
    expect(status.hostIP).toBeUndefined();
    expect(status.podIP).toBeUndefined();
  });
});

const single = newPod('web', { containers: [{ name: 'a', image }] });
const previous = (change: Partial<ContainerStatus>): Partial<StatusInput> => ({
  cached: {
    containerStatuses: [{ name: 'a', image, imageID: '', ready: true, restartCount: 2, ...change }],
  },
});
const wasRunning = previous({ state: { running: { startedAt: null } } });
const deleted: Pod = { ...single, metadata: { ...single.metadata, deletionTimestamp: '2026-01-01T00:00:30Z' } };
const lost = { terminated: expect.objectContaining({ reason: 'ContainerStatusUnknown', exitCode: 137 }) as unknown };

describe('the status of a container', () => {
  it.each<
    [string, string, Pod, readonly Change[], Partial<StatusInput>, Partial<Record<keyof ContainerStatus, unknown>>]
  >([
    ['9.1 #1', 'waits as ContainerCreating', single, [], {}, { state: { waiting: { reason: 'ContainerCreating' } } }],
    [
      '9.1 #1',
      'waits as PodInitializing',
      withInit('Always'),
      [],
      {},
      { state: { waiting: { reason: 'PodInitializing' } } },
    ],
    ['9.1 #3', 'keeps its restart count', single, [], wasRunning, { restartCount: 2 }],
    ['9.2', 'stays as it is when lost without a deletion', single, [], wasRunning, { lastState: {}, restartCount: 2 }],
    [
      '9.2',
      'has a lost last state when the pod is deleted',
      deleted,
      [],
      wasRunning,
      { lastState: lost, restartCount: 2 },
    ],
    [
      '9.3',
      'is terminated when only created',
      single,
      [{ name: 'a', state: 'created' }],
      {},
      {
        state: { terminated: expect.objectContaining({ exitCode: 0 }) as unknown },
      },
    ],
    [
      '9.3',
      'is lost when unknown after it ran',
      single,
      [{ name: 'a', state: 'unknown' }],
      wasRunning,
      {
        state: lost,
        restartCount: 3,
      },
    ],
    [
      '9.3',
      'waits when unknown before it ran',
      single,
      [{ name: 'a', state: 'unknown' }],
      {},
      { state: { waiting: {} } },
    ],
    [
      '9.3',
      'has the second newest instance as its last state',
      single,
      [running('a'), exited('a', 3)],
      {},
      {
        state: { running: expect.anything() as unknown },
        lastState: { terminated: expect.objectContaining({ exitCode: 3 }) as unknown },
      },
    ],
    [
      '9.4 #3',
      'stays terminated when it will not be restarted',
      newPod('web', { restartPolicy: 'Never', containers: [{ name: 'a', image }] }),
      [exited('a', 1)],
      backOff,
      {
        state: { terminated: expect.objectContaining({ exitCode: 1 }) as unknown },
      },
    ],
    [
      '9.4 #4',
      'stays terminated without a reason of a failed start',
      single,
      [exited('a', 1)],
      {},
      {
        state: { terminated: expect.objectContaining({ exitCode: 1 }) as unknown },
      },
    ],
    [
      '9.4 #5',
      'waits with the reason of the failed start',
      single,
      [exited('a', 1)],
      backOff,
      {
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
        lastState: { terminated: expect.objectContaining({ exitCode: 1 }) as unknown },
      },
    ],
  ])('%s: %s', (_spec, _name, pod, containers, change, expected) => {
    expect(generate(pod, containers, change).containerStatuses?.[0]).toMatchObject(expected);
  });

  it('9.6: orders regular containers by name', () => {
    const pod = newPod('web', { containers: ['b', 'a'].map((name) => ({ name, image })) });
    expect(generate(pod, []).containerStatuses?.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

const conditions = (pod: Pod, containers: readonly Change[]): readonly string[] =>
  (generate(pod, containers).conditions ?? []).map(({ type, status, reason = '', message = '' }) =>
    [type, status, reason, message].join('|'),
  );

describe('the conditions', () => {
  it.each<[string, string, Pod, readonly Change[], readonly string[]]>([
    [
      '10',
      'of a running pod',
      single,
      [running('a')],
      ['Initialized|True||', 'Ready|True||', 'ContainersReady|True||', 'PodScheduled|True||'],
    ],
    [
      '10',
      'while an init container runs',
      withInit('Always'),
      [running('i')],
      [
        'Initialized|False|ContainersNotInitialized|containers with incomplete status: [i]',
        'Ready|False|ContainersNotReady|containers with unready status: [a]',
        'ContainersReady|False|ContainersNotReady|containers with unready status: [a]',
        'PodScheduled|True||',
      ],
    ],
    [
      '10',
      'of a succeeded pod',
      two('Never'),
      [exited('a'), exited('b')],
      [
        'Initialized|True|PodCompleted|',
        'Ready|False|PodCompleted|',
        'ContainersReady|False|PodCompleted|',
        'PodScheduled|True||',
      ],
    ],
    [
      '10',
      'of a failed pod, which is not PodFailed yet',
      two('Never'),
      [exited('a'), exited('b', 1)],
      [
        'Initialized|True||',
        'Ready|False|ContainersNotReady|containers with unready status: [a b]',
        'ContainersReady|False|ContainersNotReady|containers with unready status: [a b]',
        'PodScheduled|True||',
      ],
    ],
  ])('%s: %s', (_spec, _name, pod, containers, expected) => {
    expect(conditions(pod, containers)).toEqual(expected);
  });
});
