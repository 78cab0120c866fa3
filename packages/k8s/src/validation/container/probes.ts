/** Validates probes and lifecycle hooks. Upstream: pkg/apis/core/validation (v1.36). */

import type { HTTPGetAction, Lifecycle, LifecycleHandler, PodSpec, Probe } from '../../types.ts';
import type { Report } from '../report.ts';
import { isHTTPHeaderName, isValidPortName, isValidPortNumber } from '../syntax.ts';

export type ProbeName = 'livenessProbe' | 'readinessProbe' | 'startupProbe';

/**
 * Validates a probe. Upstream: validateLivenessProbe, validateReadinessProbe, validateStartupProbe (core/validation,
 * v1.36).
 */
export function validateProbe(
  name: ProbeName,
  probe: Probe | undefined,
  gracePeriod: number,
  path: string,
  report: Report,
): void {
  if (!probe) return;
  validateHandler(probe, gracePeriod, path, report);
  for (const field of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const) {
    report.nonNegative(`${path}.${field}`, probe[field]);
  }
  const { terminationGracePeriodSeconds, successThreshold } = probe;
  if (terminationGracePeriodSeconds !== undefined && terminationGracePeriodSeconds <= 0) {
    report.invalid(`${path}.terminationGracePeriodSeconds`, terminationGracePeriodSeconds, 'must be greater than 0');
  }
  if (name === 'readinessProbe') {
    if (terminationGracePeriodSeconds !== undefined) {
      report.invalid(
        `${path}.terminationGracePeriodSeconds`,
        terminationGracePeriodSeconds,
        'must not be set for readinessProbes',
      );
    }
  } else if (successThreshold !== 1) report.invalid(`${path}.successThreshold`, successThreshold ?? 0, 'must be 1');
}

/** Validates lifecycle hooks. Upstream: validateLifecycle (core/validation, v1.36). */
export function validateLifecycle(
  lifecycle: Lifecycle | undefined,
  spec: PodSpec,
  gracePeriod: number,
  path: string,
  report: Report,
): void {
  if (!lifecycle) return;
  if (lifecycle.postStart) validateHandler(lifecycle.postStart, gracePeriod, `${path}.postStart`, report);
  if (lifecycle.preStop) validateHandler(lifecycle.preStop, gracePeriod, `${path}.preStop`, report);
  if (lifecycle.stopSignal !== undefined && !spec.os?.name) {
    report.forbidden(`${path}.stopSignal`, 'may not be set for containers with empty `spec.os.name`');
  }
}

/** The handlers in the order in which upstream checks them. The first one is used; any further one is an error. */
const handlerTypes = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const;

/** Validates the handler of a probe or hook. Upstream: validateHandler (core/validation, v1.36). */
function validateHandler(
  handler: LifecycleHandler & Pick<Probe, 'grpc'>,
  gracePeriod: number,
  path: string,
  report: Report,
): void {
  const [first, ...others] = handlerTypes.filter((type) => handler[type] !== undefined);
  if (first === undefined) return report.required(path, 'must specify a handler type');
  const { exec, httpGet, tcpSocket, grpc, sleep } = handler;
  if (first === 'exec' && !exec?.command?.length) report.required(`${path}.exec.command`);
  if (first === 'httpGet' && httpGet) validateHTTPGet(httpGet, `${path}.httpGet`, report);
  if (first === 'tcpSocket' && tcpSocket) validatePort(tcpSocket.port, `${path}.tcpSocket.port`, report);
  if (first === 'grpc' && grpc) validatePort(grpc.port, `${path}.grpc.port`, report);
  if (first === 'sleep' && sleep && (sleep.seconds < 0 || sleep.seconds > gracePeriod)) {
    report.invalid(
      `${path}.sleep`,
      sleep.seconds,
      `must be non-negative and less than terminationGracePeriodSeconds (${gracePeriod})`,
    );
  }
  for (const type of others) report.forbidden(`${path}.${type}`, 'may not specify more than 1 handler type');
  return undefined;
}

function validateHTTPGet(
  { path: urlPath, port, scheme, httpHeaders }: HTTPGetAction,
  path: string,
  report: Report,
): void {
  if (!urlPath) report.required(`${path}.path`);
  validatePort(port, `${path}.port`, report);
  if (scheme !== 'HTTP' && scheme !== 'HTTPS') report.notSupported(`${path}.scheme`, scheme ?? '', ['HTTP', 'HTTPS']);
  for (const { name } of httpHeaders ?? []) report.invalidEach(`${path}.httpHeaders`, name, isHTTPHeaderName(name));
}

/**
 * Validates a port number or the name of a container port. Upstream: ValidatePortNumOrName (core/validation, v1.36).
 */
function validatePort(port: number | string, path: string, report: Report): void {
  if (typeof port === 'string') report.invalidEach(path, port, isValidPortName(port));
  else report.invalidEach(path, port, isValidPortNumber(port));
}
