/**
 * Tests generateAPIPodStatus with recordings of genuine kubelets. The runtime statuses are derived from the recorded
 * container statuses. The phase, conditions and container states must equal the recorded ones.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { type PodStatus as ApiPodStatus, type ContainerStatus, getPodQOS, type Pod, type PodSpec } from '@podscope/k8s';
import type { ContainerID, Status } from '@podscope/kuberuntime';
import { background, type Instant, instant, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { kubeletProfiles } from '../profiles/profiles.ts';

type Release = keyof typeof kubeletProfiles;

interface Recording {
  readonly pod: { readonly specAfterDefaults: PodSpec };
  readonly statuses: readonly (ApiPodStatus & { readonly uid?: string; readonly t: number })[];
}

const directory = new URL('../../../../apps/lab/recordings/', import.meta.url);
const rows = (['v1.20', 'v1.36'] as const).flatMap((release: Release) =>
  readdirSync(new URL(`${release}/`, directory))
    .filter((file) => /^\d.*\.json$/.test(file))
    .map((file) => ({ release, file })),
);

const ctx = background(new VirtualClock(), new Tracer());

/** Converts a recorded time, which is in milliseconds since the start of the recording. */
const timeOf = (recorded: unknown): Instant => instant(1_000_000 + Number(recorded ?? 0));

const idOf = (text: string): ContainerID => ({ type: 'docker', id: text.replace(/^docker:\/\//, '') });

/** Returns the runtime's instances of a container, the newest first, as derived from the recorded status. */
function instancesOf({
  name,
  state,
  lastState,
  containerID = '',
  restartCount,
  image,
  imageID,
}: ContainerStatus): Status[] {
  const common = {
    name,
    image,
    imageID,
    imageRef: imageID,
    hash: 0,
    restartCount,
    createdAt: timeOf(0),
    reason: '',
    message: '',
    exitCode: 0,
  };
  const exited = (ended: NonNullable<NonNullable<ContainerStatus['state']>['terminated']>): Status => ({
    ...common,
    id: idOf(ended.containerID ?? ''),
    state: 'exited',
    startedAt: timeOf(ended.startedAt),
    finishedAt: timeOf(ended.finishedAt),
    exitCode: ended.exitCode,
    reason: ended.reason ?? '',
    message: ended.message ?? '',
  });
  const now: readonly Status[] = state?.running
    ? [
        {
          ...common,
          id: idOf(containerID),
          state: 'running',
          startedAt: timeOf(state.running.startedAt),
          finishedAt: undefined,
        },
      ]
    : state?.terminated
      ? [exited(state.terminated)]
      : [];
  return [...now, ...(lastState?.terminated ? [exited(lastState.terminated)] : [])];
}

const shape = ({
  phase,
  conditions = [],
  initContainerStatuses = [],
  containerStatuses = [],
  qosClass,
}: ApiPodStatus) => ({
  phase,
  qosClass,
  conditions: conditions
    .filter(({ type }) => type !== 'PodScheduled')
    .map(({ type, status, reason = '', message = '' }) => `${type}=${status} ${reason} ${message}`)
    .toSorted(),
  containers: [...initContainerStatuses, ...containerStatuses].map(({ name, ready, restartCount, state }) => ({
    name,
    ready,
    restartCount,
    state: Object.keys(state ?? {}).join(),
    reason: state?.waiting?.reason ?? state?.terminated?.reason ?? '',
  })),
});

function generate(release: Release, spec: PodSpec, recorded: ApiPodStatus): ApiPodStatus {
  const { generateAPIPodStatus, gates } = kubeletProfiles[release];
  const pod: Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', uid: 'uid' },
    spec,
  };
  const all = [...(recorded.initContainerStatuses ?? []), ...(recorded.containerStatuses ?? [])];
  const containerStatuses = all.flatMap(instancesOf);
  const named = (id: ContainerID): ContainerStatus | undefined =>
    all.find(({ containerID = '' }) => idOf(containerID).id === id.id);
  const hasSandbox = recorded.conditions?.some(
    ({ type, status }) => type === 'PodReadyToStartContainers' && status === 'True',
  );
  const ips = recorded.podIP ? ['10.0.0.7'] : [];
  return generateAPIPodStatus(ctx, {
    pod,
    podStatus: {
      id: 'uid',
      name: 'web',
      namespace: 'default',
      ips,
      containerStatuses,
      activeContainerStatuses: containerStatuses,
      sandboxStatuses:
        hasSandbox === true
          ? [
              {
                id: 'sandbox',
                metadata: { name: 'web', namespace: 'default', uid: 'uid', attempt: 0 },
                state: 'SANDBOX_READY',
                createdAt: 0n,
                network: { ip: '10.0.0.7', additionalIps: [] },
                labels: {},
                annotations: {},
                runtimeHandler: '',
              },
            ]
          : [],
      timestamp: timeOf(0),
    },
    cached: undefined,
    podIsTerminal: recorded.phase === 'Failed' || recorded.phase === 'Succeeded',
    reasons: {
      get: (_uid: string, name: string) => {
        const waiting = all.find((each) => each.name === name)?.state?.waiting;
        if (!waiting?.reason || ['ContainerCreating', 'PodInitializing'].includes(waiting.reason)) return undefined;
        return { error: waiting.reason, message: waiting.message ?? '' };
      },
    },
    probes: {
      result: (type, id) => {
        const found = named(id);
        return (type === 'readiness' ? found?.ready : found?.started) ? 'success' : 'failure';
      },
      hasWorker: () => false,
      triggerReadiness: () => undefined,
      startTime: timeOf(-1_000_000),
    },
    nodeIPs: ['192.168.77.10'],
    shouldEvict: () => undefined,
    resizeConditions: [],
    gates,
  });
}

/**
 * Returns false for a recorded status that generateAPIPodStatus didn't compute: the empty one before the first sync,
 * and one that SetContainerStartup changed (it sets `started` before the next sync computes `ready` from it).
 */
function isGenerated({ containers, initContainers = [] }: PodSpec, recorded: ApiPodStatus): boolean {
  if (recorded.phase === undefined || (recorded.conditions ?? []).length === 0) return false;
  const all = [...(recorded.initContainerStatuses ?? []), ...(recorded.containerStatuses ?? [])];
  const probed = [...initContainers, ...containers].filter(({ readinessProbe }) => readinessProbe);
  return !all.some(
    ({ name, ready, started, state }) =>
      state?.running && started && !ready && !probed.some((container) => container.name === name),
  );
}

describe.each(rows)('$release $file', ({ release, file }) => {
  const recording = JSON.parse(readFileSync(new URL(`${release}/${file}`, directory), 'utf8')) as Recording;
  const { specAfterDefaults: spec } = recording.pod;
  const statuses = recording.statuses.filter((status) => isGenerated(spec, status));

  it(`yields its ${statuses.length} statuses from their containers`, () => {
    expect(statuses.length).toBeGreaterThan(0);
    for (const recorded of statuses) {
      const generated = generate(release, spec, recorded);
      const qosClass = getPodQOS({ spec } as Pod, release === 'v1.36');
      expect({ t: recorded.t, ...shape({ ...generated, qosClass }) }).toEqual({ t: recorded.t, ...shape(recorded) });
    }
  });
});
