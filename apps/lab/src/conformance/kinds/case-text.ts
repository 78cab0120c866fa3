/** Formats the content of cases as text. */
import { isRecord } from '@podscope/base';
import type { Container, Pod } from '@podscope/k8s';
import type { PodStatusVector } from '@podscope/kuberuntime/testing';

/** Formats a value as one line such as `a 1, b x`, with lists in brackets. */
export function formatValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : `[${value.map(formatValue).join('; ')}]`;
  if (isRecord(value)) {
    const parts = Object.entries(value).flatMap(([key, inner]) =>
      inner === undefined ? [] : [`${key} ${formatValue(inner)}`],
    );
    return parts.length === 0 ? '{}' : parts.join(', ');
  }
  return typeof value === 'string' ? (value === '' ? '""' : value) : String(value);
}

const probesOf = ({ livenessProbe, startupProbe }: Container): string[] => [
  ...(livenessProbe ? ['liveness probe'] : []),
  ...(startupProbe ? ['startup probe'] : []),
];

function containerLine(kind: string, container: Container): string {
  const { name, image = '', restartPolicy, restartPolicyRules = [], lifecycle } = container;
  const more = [
    ...(restartPolicy ? [`restartPolicy ${restartPolicy}`] : []),
    ...restartPolicyRules.map(
      ({ action, exitCodes }) =>
        `${action} on exit code ${exitCodes?.operator ?? ''} ${exitCodes?.values?.join(', ') ?? ''}`,
    ),
    ...probesOf(container),
    ...(lifecycle?.preStop ? ['preStop hook'] : []),
    ...(lifecycle?.postStart ? ['postStart hook'] : []),
  ];
  return `  ${kind} ${name} (${image})${more.length > 0 ? `: ${more.join(', ')}` : ''}`;
}

/** Describes a pod and its containers. */
export function podLines({ metadata, spec }: Pod): string[] {
  const deleted = metadata.deletionTimestamp ? ', being deleted' : '';
  const host = spec.hostNetwork ? ', on the host network' : '';
  return [
    `pod ${metadata.namespace ?? ''}/${metadata.name}: restartPolicy ` +
      `${spec.restartPolicy ?? 'not set (Always)'}${host}${deleted}`,
    ...(spec.initContainers ?? []).map((container) =>
      containerLine(container.restartPolicy === 'Always' ? 'sidecar' : 'init container', container),
    ),
    ...spec.containers.map((container) => containerLine('container', container)),
    ...(spec.ephemeralContainers ?? []).map((container) => containerLine('ephemeral container', container)),
  ];
}

/** Describes the runtime's status of a pod, newest items first. */
export function podStatusLines({ sandboxStatuses, containerStatuses }: PodStatusVector): string[] {
  const sandboxes = (sandboxStatuses ?? []).map(
    ({ id, state, attempt, ip }) => `  sandbox ${id}: ${state}, attempt ${attempt}, ${ip ? `IP ${ip}` : 'no IP'}`,
  );
  const containers = (containerStatuses ?? []).map(
    ({ id, name, state, exitCode, reason, restartCount, hashMatches }) => {
      const ended = state === 'exited' ? ` with ${exitCode}${reason ? ` (${reason})` : ''}` : '';
      return (
        `  ${name} ${id}: ${state}${ended}, restartCount ` +
        `${restartCount}${hashMatches ? '' : ', made from another definition'}`
      );
    },
  );
  return [
    sandboxes.length + containers.length > 0 ? 'the runtime shows' : 'the runtime shows nothing of it',
    ...sandboxes,
    ...containers,
  ];
}

/** Describes the disabled feature gates. */
export function gateLines(gates: Readonly<Record<string, boolean>>): string[] {
  const off = Object.entries(gates).flatMap(([gate, on]) => (on ? [] : [gate]));
  return off.length > 0 ? [`gates off: ${off.join(', ')}`] : [];
}

/** Formats the members of an object one per line, without members that are null, false or empty. */
export const memberLines = (members: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(members).flatMap(([key, value]) =>
    value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)
      ? []
      : [`  ${key}: ${formatValue(value)}`],
  );

const maxTitleLength = 200;

/** Returns the line, truncated if it is too long for a title. */
export const short = (line: string): string =>
  line.length <= maxTitleLength ? line : `${line.slice(0, maxTitleLength)}…`;
