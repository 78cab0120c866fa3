/** Holds the generated status against what the real kubelet v1.36 generated for the same input. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { PodSandboxStatus } from '@podscope/cri';
import { type PodStatus as ApiPodStatus, type Pod, parseQuantity, quantityMilliValue, quantityValue } from '@podscope/k8s';
import { type PodStatus, type ProbeResult, parseContainerID, type Status } from '@podscope/kuberuntime';
import { background, instant, parseTime, Tracer, toNanoseconds, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { featureGates } from '../features.ts';
import type { ProbeType } from '../prober/update-pod-status.ts';
import { generateAPIPodStatus } from './generate-api-pod-status.ts';

interface VectorContainer {
  id: string;
  name: string;
  state: Status['state'];
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  exitCode: number;
  reason: string;
  message: string;
  image: string;
  imageID: string;
  restartCount: number;
  hash: number;
  resources: Partial<Record<'cpuRequest' | 'cpuLimit' | 'memoryRequest' | 'memoryLimit', string | null>> | null;
}

interface Vector {
  id: string;
  family: string;
  gates: Record<string, boolean>;
  pod: Pod;
  podStatus: {
    id: string;
    name: string;
    namespace: string;
    ips: string[] | null;
    activeContainers: string[];
    sandboxStatuses: {
      id: string;
      state: 'ready' | 'notready';
      attempt: number;
      createdAt: string;
      hostNetwork: boolean;
      ip: string | null;
      additionalIPs: string[] | null;
    }[];
    containerStatuses: VectorContainer[];
  };
  oldStatus: ApiPodStatus | null;
  reasons: Record<string, { error: string; message: string }>;
  probes: Partial<Record<ProbeType, Record<string, ProbeResult>>>;
  podIsTerminal: boolean;
  expect: ApiPodStatus;
}

const file = new URL('../../test/vectors/status-v1.36.jsonl.gz', import.meta.url);
const vectors = gunzipSync(readFileSync(file))
  .toString('utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Vector);

const amount = (text: string | null | undefined, read: typeof quantityValue): number | undefined => (text == null ? undefined : read(parseQuantity(text)));

const toResources = (resources: VectorContainer['resources']): Status['resources'] =>
  resources
    ? {
        cpuRequest: amount(resources.cpuRequest, quantityMilliValue),
        cpuLimit: amount(resources.cpuLimit, quantityMilliValue),
        memoryRequest: amount(resources.memoryRequest, quantityValue),
        memoryLimit: amount(resources.memoryLimit, quantityValue),
      }
    : undefined;

const toStatus = (container: VectorContainer): Status => ({
  ...container,
  resources: toResources(container.resources),
  id: parseContainerID(container.id),
  createdAt: parseTime(container.createdAt),
  startedAt: container.startedAt === null ? undefined : parseTime(container.startedAt),
  finishedAt: container.finishedAt === null ? undefined : parseTime(container.finishedAt),
});

function toPodStatus({ podStatus }: Vector): PodStatus {
  const containerStatuses = podStatus.containerStatuses.map(toStatus);
  const active = new Set(podStatus.activeContainers);
  return {
    id: podStatus.id,
    name: podStatus.name,
    namespace: podStatus.namespace,
    ips: podStatus.ips ?? [],
    containerStatuses,
    activeContainerStatuses: containerStatuses.filter((_, index) => active.has(podStatus.containerStatuses[index]?.id ?? '')),
    sandboxStatuses: podStatus.sandboxStatuses.map(
      (sandbox): PodSandboxStatus => ({
        id: sandbox.id,
        metadata: { name: podStatus.name, namespace: podStatus.namespace, uid: podStatus.id, attempt: sandbox.attempt },
        state: sandbox.state === 'ready' ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY',
        createdAt: toNanoseconds(parseTime(sandbox.createdAt)),
        network: sandbox.ip === null ? undefined : { ip: sandbox.ip, additionalIps: (sandbox.additionalIPs ?? []).map((ip) => ({ ip })) },
        linux: { namespaces: { options: { network: sandbox.hostNetwork ? 'NODE' : 'POD', pid: 'CONTAINER', ipc: 'POD', targetId: '' } } },
        labels: {},
        annotations: {},
        runtimeHandler: '',
      }),
    ),
    timestamp: instant(0),
  };
}

const probesOf = (pod: Pod): Set<string> =>
  new Set(
    [...pod.spec.containers, ...(pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always')].flatMap((container) =>
      (['liveness', 'readiness', 'startup'] as const).filter((type) => container[`${type}Probe`]).map((type) => `${type}/${container.name}`),
    ),
  );

// A test must not depend on when it runs: the kubelet of the recording started after everything in it.
const clock = new VirtualClock(parseTime('2026-06-01T00:00:00Z'));
const ctx = background(clock, new Tracer());

function generate(vector: Vector): ApiPodStatus {
  const workers = probesOf(vector.pod);
  return generateAPIPodStatus(ctx, {
    pod: vector.pod,
    podStatus: toPodStatus(vector),
    cached: vector.oldStatus ?? undefined,
    podIsTerminal: vector.podIsTerminal,
    reasons: { get: (uid, container) => vector.reasons[`${uid}_${container}`] },
    probes: {
      result: (type, id) => vector.probes[type]?.[`${id.type}://${id.id}`],
      hasWorker: (type, _uid, container) => workers.has(`${type}/${container}`),
      triggerReadiness: () => undefined,
      startTime: clock.now(),
    },
    nodeIPs: ['192.0.2.10'],
    shouldEvict: () => undefined,
    resizeConditions: [],
    gates: featureGates(vector.gates),
  });
}

/** Without the times that the status manager sets later. */
const withoutTransitionTimes = (status: ApiPodStatus): unknown =>
  JSON.parse(JSON.stringify({ ...status, conditions: status.conditions?.map((condition) => ({ ...condition, lastTransitionTime: null })) }));

describe('generateAPIPodStatus against the recorded kubelet v1.36', () => {
  it.each([...new Set(vectors.map(({ family }) => family))])('agrees in every case of the family %s', (family) => {
    for (const vector of vectors.filter((candidate) => candidate.family === family)) {
      const { id, expect: expected } = vector;
      expect({ id, status: withoutTransitionTimes(generate(vector)) }).toEqual({ id, status: withoutTransitionTimes(expected) });
    }
  });

  it('has all of the recorded cases', () => {
    expect(vectors.length).toBeGreaterThanOrEqual(1000);
  });
});
