/** Contains the facts about a failing probe, and what its spec says about port, target and duration. */
import type { Probe } from '@podscope/k8s';
import type { ExplainText, NextCommand } from '@podscope/trace/explain';
import type { SnapshotEvent } from '../../pod-snapshot.ts';
import type { ContainerCase, PodCase } from '../pod-case.ts';

type Kind = 'startup' | 'liveness' | 'readiness';

export interface Failing {
  readonly it: PodCase;
  readonly container: ContainerCase;
  readonly kind: Kind;
  readonly probe: Probe;
  /** The message of the last failure, without its prefix. */
  readonly said: string;
  /** The event of a container that is ready at this moment, although its probe fails again and again. */
  readonly flaps: SnapshotEvent | undefined;
  readonly values: Readonly<Record<string, string | number>>;
}

export interface Explained {
  readonly cause: readonly ExplainText[];
  readonly next: readonly NextCommand[];
  readonly certainty?: 'likely';
  /** The line of the log that shows the cause. */
  readonly line?: string;
  /** Further texts about what happens next, in addition to those for the kind of probe. */
  readonly outlook?: readonly ExplainText[];
}

export const fieldOf = { startup: 'startupProbe', liveness: 'livenessProbe', readiness: 'readinessProbe' } as const;

/**
 * Returns how many milliseconds after the start of a container its probe reaches the failure threshold. Upstream:
 * worker.doProbe.
 */
export const timeToFailure = ({ initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 }: Probe): number =>
  (initialDelaySeconds + periodSeconds * failureThreshold) * 1_000;

/** The ports on which the proxies of meshes answer the rewritten probes of the other containers. */
const proxyPorts: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^istio-proxy$/, [15_020, 15_021]],
  [/^linkerd-proxy$/, [4_143, 4_191]],
  [/^(?:consul-dataplane|envoy)/, [20_000, 20_300, 20_400, 20_500]],
];

/** Returns the other container of the pod that listens on a port according to its spec; undefined without one. */
export const serverOf = ({ it, container }: Failing, port: number | undefined): ContainerCase | undefined =>
  (container.spec.ports ?? []).some(({ containerPort }) => containerPort === port)
    ? undefined
    : it.containers.find(
        ({ name, role, spec }) =>
          name !== container.name &&
          role !== 'init' &&
          (proxyPorts.some(([pattern, ports]) => pattern.test(name) && ports.includes(port ?? 0)) ||
            (spec.ports ?? []).some(({ containerPort }) => containerPort === port)),
      );

/** Returns the target of a probe, for example `HTTP GET :8080/ready`. */
export function whatOf({ httpGet, tcpSocket, grpc, exec }: Probe, port: number | undefined): string {
  if (httpGet) return `${httpGet.scheme ?? 'HTTP'} GET :${port ?? httpGet.port}${httpGet.path ?? '/'}`;
  if (tcpSocket) return `TCP :${port ?? tcpSocket.port}`;
  return grpc ? `gRPC :${port ?? grpc.port}` : (exec?.command ?? []).join(' ');
}
