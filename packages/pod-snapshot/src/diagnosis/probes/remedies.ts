/** Contains the changes that let a probe succeed: its path and times, and the CPU time of the program. */
import type { Probe } from '@podscope/k8s';
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import { quantityNanos } from '../memory-limit.ts';
import { type Failing, fieldOf } from './probe-case.ts';

/**
 * Returns the prefix of all paths that a variable or argument of the program sets and the probe's path lacks; undefined
 * without one.
 */
export function basePath({
  container: { spec },
  probe,
}: Failing): { readonly place: string; readonly prefix: string; readonly full: string } | undefined {
  const path = probe.httpGet?.path ?? '/';
  const named =
    /(?:CONTEXT[_.-]?PATH|BASE[_.-]?(?:PATH|URL|HREF)|ROOT[_.-]?PATH|PATH[_.-]?(?:PREFIX|BASE)|URL[_.-]?PREFIX|SCRIPT_NAME|ROUTE[_.-]?PREFIX|WEB[_.-]?PREFIX|SUB[_.-]?PATH)/i;
  const settings = [
    ...(spec.env ?? []).map(({ name, value = '' }) => ({ place: `env ${name}`, name, value })),
    ...[...(spec.command ?? []), ...(spec.args ?? [])].flatMap((word) => {
      const [, name = '', value = ''] = /^(--?[\w.-]+)=(\S+)$/.exec(word) ?? [];
      return name === '' ? [] : [{ place: `args ${name}`, name, value }];
    }),
  ];
  for (const { place, name, value } of settings) {
    const prefix = value.replace(/^https?:\/\/[^/]+/, '').replace(/\/$/, '');
    if (!named.test(name) || !/^\/[\w./-]+$/.test(prefix) || path.startsWith(`${prefix}/`) || path === prefix) continue;
    return { place, prefix, full: `${prefix}${path}` };
  }
  return undefined;
}

/** Returns the container's CPU limit, and the commands that raise it; undefined without a limit. */
export function cpuLimit({
  it,
  container,
  values,
}: Failing):
  | { readonly isSmall: boolean; readonly cause: ExplainText; readonly next: readonly NextCommand[] }
  | undefined {
  const { limits, requests } = container.spec.resources ?? {};
  const cpu = limits?.['cpu'];
  const nanos = quantityNanos(cpu);
  if (cpu === undefined || nanos === undefined) return undefined;
  // Below one CPU, a program that is starved needs more than twice its limit.
  const doubled = (nanos * 2n) / 1_000_000n;
  const milli = doubled < 1_000n ? 1_000n : doubled;
  const isSmall = nanos < 500_000_000n;
  const all = { ...values, cpu: String(cpu), raised: milli % 1_000n === 0n ? `${milli / 1_000n}` : `${milli}m` };
  // The QoS class Guaranteed needs equal requests and limits. Otherwise a larger request could find no node.
  const isEqual = it.pod.status?.qosClass === 'Guaranteed' && String(requests?.['cpu'] ?? cpu) === String(cpu);
  return {
    isSmall,
    cause: textOf('probeCpuLimit', all),
    next: it.set(
      'probeCpuFix',
      all,
      (ref) =>
        `resources ${ref} -c=${container.name} --limits=cpu=${all.raised}` +
        (isEqual ? ` --requests=cpu=${all.raised}` : ''),
    ),
  };
}

/** Returns the command that gives a program five minutes to start, with a startup probe like its failing probe. */
export function startupFix({ it, container, probe, values }: Failing): readonly NextCommand[] {
  const { httpGet, tcpSocket, grpc, exec } = probe;
  const handler = { httpGet, tcpSocket, grpc, exec };
  return it.patch(
    'probeStartupFix',
    values,
    { startupProbe: { ...handler, periodSeconds: 10, failureThreshold: 30 } },
    container,
  );
}

/** Returns the command that triples the time that a startup probe gives the program. */
export const startupMore = ({ it, container, probe, values }: Failing): readonly NextCommand[] => {
  const more = (probe.failureThreshold ?? 3) * 3;
  return it.patch('probeStartupMore', { ...values, more }, { startupProbe: { failureThreshold: more } }, container);
};

const usualFailures = 3;

/** Returns whether a single failure, or two, already count as a failed probe. The default is three. */
export const isStrictProbe = ({ failureThreshold = usualFailures }: Probe): boolean => failureThreshold < usualFailures;

/** Returns the command that makes a probe less strict. */
export const timeoutFix = ({ it, container, kind, probe, values }: Failing): readonly NextCommand[] => {
  // A command that starts a VM or an interpreter takes long.
  const isVm = /\b(?:rabbitmq\S*|java|node|python3?|php|ruby|kafka\S*|cqlsh|nodetool)\b/.test(
    (probe.exec?.command ?? []).join(' '),
  );
  const seconds = Math.max(isVm ? 10 : 5, (probe.timeoutSeconds ?? 1) * 2);
  const isStrict = isStrictProbe(probe);
  return it.patch(
    isStrict ? 'probeStrictFix' : 'probeTimeoutFix',
    { ...values, seconds, field: fieldOf[kind], failures: usualFailures },
    { [fieldOf[kind]]: { timeoutSeconds: seconds, ...(isStrict ? { failureThreshold: usualFailures } : {}) } },
    container,
  );
};
