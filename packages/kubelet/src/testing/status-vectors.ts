/**
 * Runs generateAPIPodStatus with recorded inputs and compares the results with those of the genuine kubelet. Also runs
 * in a browser.
 */
import {
  type PodStatus as ApiPodStatus,
  type Pod,
  parseQuantity,
  quantityMilliValue,
  quantityValue,
} from '@podscope/k8s';
import { formatContainerID, type PodStatus, type ProbeResult, type Status } from '@podscope/kuberuntime';
import {
  type ContainerVector,
  type Disagreement,
  type PodStatusVector,
  podStatusOf,
  sameJSON,
} from '@podscope/kuberuntime/testing';
import { background, parseTime, Tracer, VirtualClock } from '@podscope/trace';
import { featureGates } from '../features.ts';
import type { ProbeType } from '../prober/update-pod-status.ts';
import { generateAPIPodStatus } from '../status/generate-api-pod-status.ts';

type ResourceTexts = Partial<Record<'cpuRequest' | 'cpuLimit' | 'memoryRequest' | 'memoryLimit', string | null>>;

/** A recorded call of generateAPIPodStatus. */
export interface StatusVector {
  readonly id: string;
  readonly family?: string;
  readonly gates: Readonly<Record<string, boolean>>;
  readonly pod: Pod;
  readonly podStatus: PodStatusVector & {
    /** The ids of the containers in the newest READY sandbox. */
    readonly activeContainers?: readonly string[] | null;
    readonly containerStatuses: readonly (ContainerVector & { readonly resources?: ResourceTexts | null })[] | null;
  };
  readonly oldStatus: ApiPodStatus | null;
  readonly reasons: Readonly<Record<string, { readonly error: string; readonly message: string }>> | null;
  readonly probes: Partial<Record<ProbeType, Readonly<Record<string, ProbeResult>> | null>>;
  readonly podIsTerminal: boolean;
  readonly expect: ApiPodStatus;
}

/** The addresses of the node on which the calls were recorded. */
const nodeIPs = ['192.0.2.10'];
/** The start of the kubelet that was recorded. It is later than all recorded timestamps. */
const kubeletStart = parseTime('2026-06-01T00:00:00Z');

const amount = (text: string | null | undefined, read: typeof quantityValue): number | undefined =>
  text == null ? undefined : read(parseQuantity(text));

const resourcesOf = (resources: ResourceTexts | null | undefined): Status['resources'] =>
  resources
    ? {
        cpuRequest: amount(resources.cpuRequest, quantityMilliValue),
        cpuLimit: amount(resources.cpuLimit, quantityMilliValue),
        memoryRequest: amount(resources.memoryRequest, quantityValue),
        memoryLimit: amount(resources.memoryLimit, quantityValue),
      }
    : undefined;

function runtimeStatusOf({ podStatus }: StatusVector): PodStatus {
  const status = podStatusOf(podStatus);
  const containerStatuses = status.containerStatuses.map((container, index) => ({
    ...container,
    resources: resourcesOf(podStatus.containerStatuses?.[index]?.resources),
  }));
  const active = new Set(podStatus.activeContainers);
  return {
    ...status,
    containerStatuses,
    activeContainerStatuses: containerStatuses.filter(({ id }) => active.has(formatContainerID(id))),
  };
}

/** Returns a key like `liveness/app` for every probe that the kubelet would run. */
const probesOf = ({ spec }: Pod): ReadonlySet<string> =>
  new Set(
    [
      ...spec.containers,
      ...(spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
    ].flatMap((container) =>
      (['liveness', 'readiness', 'startup'] as const)
        .filter((type) => container[`${type}Probe`])
        .map((type) => `${type}/${container.name}`),
    ),
  );

/** Removes fields that the status manager sets later. */
const withoutTransitionTimes = (status: ApiPodStatus): Record<string, unknown> => ({
  ...status,
  ...(status.conditions
    ? { conditions: status.conditions.map((condition) => ({ ...condition, lastTransitionTime: null })) }
    : {}),
});

/**
 * Returns every difference between the computed and the recorded status.
 * @param tracer receives the decisions
 */
export function statusDisagreements(vector: StatusVector, tracer: Tracer = new Tracer()): Disagreement[] {
  const workers = probesOf(vector.pod);
  const status = generateAPIPodStatus(background(new VirtualClock(kubeletStart), tracer), {
    pod: vector.pod,
    podStatus: runtimeStatusOf(vector),
    cached: vector.oldStatus ?? undefined,
    podIsTerminal: vector.podIsTerminal,
    reasons: { get: (uid, container) => vector.reasons?.[`${uid}_${container}`] },
    probes: {
      result: (type, id) => vector.probes[type]?.[formatContainerID(id)],
      hasWorker: (type, _uid, container) => workers.has(`${type}/${container}`),
      triggerReadiness: () => undefined,
      startTime: kubeletStart,
    },
    nodeIPs,
    shouldEvict: () => undefined,
    resizeConditions: [],
    gates: featureGates(vector.gates),
  });
  const expected = withoutTransitionTimes(vector.expect);
  const got = withoutTransitionTimes(status);
  return [...new Set([...Object.keys(expected), ...Object.keys(got)])].flatMap((what) =>
    sameJSON(expected[what], got[what]) ? [] : [{ what, expected: expected[what], got: got[what] }],
  );
}
