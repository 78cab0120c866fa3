/** Explains the failure of a probe by the words of its message. */
import { type NextCommand, textOf } from '@podscope/trace/explain';
import { type ContainerCase, logsCommand, ranFor } from '../pod-case.ts';
import { lineOf } from '../program/recognizer.ts';
import { hostRefused, isTlsPort } from './host-header.ts';
import { listensElsewhere, managementPort, wrongPort } from './ports.ts';
import { type Explained, type Failing, fieldOf, timeToFailure } from './probe-case.ts';
import { basePath, cpuLimit, isStrictProbe, startupFix, startupMore, timeoutFix } from './remedies.ts';

/**
 * Returns true if the last instance ended soon after its probe reached the threshold, which means that it was killed
 * before its program had finished starting.
 */
function diesEarly({ probe, container, kind }: Failing): boolean {
  const ran = container.ended && ranFor(container.ended);
  const grace = 35_000;
  const last = (ran ?? Number.POSITIVE_INFINITY) <= timeToFailure(probe) + grace;
  // Without an ended instance, the answer is whether the current instance is still not ready.
  return kind !== 'readiness' && (container.ended ? last : container.status?.ready !== true);
}

const isMesh = ({ name, spec }: ContainerCase): boolean =>
  /istio|envoy|linkerd|mesh|proxy|consul|dapr|sidecar/i.test(`${name} ${spec.image ?? ''}`);

/** Matches messages of programs that didn't get CPU time. */
const starvation = /thread starvation|clock leap|CPU starvation|event loop (?:is )?(?:blocked|lag|delay)|throttl/i;

/** The causes by words in the failure's message, the most specific first. */
const causes: readonly (readonly [RegExp, (failing: Failing, found: RegExpExecArray) => Explained | undefined])[] = [
  [
    /statuscode: 500/,
    ({ it, container, values }) =>
      /metrics-server/.test(container.spec.image ?? '')
        ? {
            cause: [textOf('probeScrape', values)],
            next: [
              { why: textOf('lookLogs', values), command: logsCommand(it, container) },
              ...it.change('probeScrapeFix', values),
            ],
            certainty: 'likely',
          }
        : undefined,
  ],
  [
    /malformed HTTP response|client sent an HTTP request to an HTTPS server/i,
    ({ it, container, kind, values }) => ({
      cause: [textOf('probeTls', values)],
      next: it.patch(
        'probeTlsFix',
        { ...values, field: fieldOf[kind] },
        { [fieldOf[kind]]: { httpGet: { scheme: 'HTTPS' } } },
        container,
      ),
    }),
  ],
  [
    /server gave HTTP response to HTTPS client|first record does not look like a TLS handshake/i,
    ({ it, container, kind, values }) => ({
      cause: [textOf('probePlain', values)],
      next: it.patch(
        'probePlainFix',
        { ...values, field: fieldOf[kind] },
        { [fieldOf[kind]]: { httpGet: { scheme: 'HTTP' } } },
        container,
      ),
    }),
  ],
  [
    /exec: "(?<program>[^"]+)": (?:executable file not found|stat |permission denied|no such file)|(?<other>[\w./-]+): (?:command )?not found/i,
    ({ it, kind, values }, { groups }) => ({
      cause: [textOf('probeExecMissing', { ...values, program: groups?.['program'] ?? groups?.['other'] ?? '' })],
      next: it.change('probeExecFix', { ...values, field: fieldOf[kind] }),
    }),
  ],
  [
    /connection refused|no such host|no route to host|connection reset/i,
    (failing) => {
      const { it, container, kind, values } = failing;
      const port = wrongPort(failing);
      if (port) return port;
      if (failing.said.includes('127.0.0.1') || failing.probe.httpGet?.host)
        return {
          cause: [textOf('probeHost', values)],
          next: it.change('probeHostFix', { ...values, field: fieldOf[kind] }),
        };
      const elsewhere = listensElsewhere(failing);
      if (elsewhere) return elsewhere;
      if (diesEarly(failing))
        return {
          cause: [textOf(kind === 'startup' ? 'probeStartupShort' : 'probeEarly', values)],
          next: [
            ...(kind === 'startup' ? startupMore(failing) : startupFix(failing)),
            { why: textOf('probeStartupLog', values), command: logsCommand(it, container) },
          ],
          certainty: 'likely',
        };
      return {
        cause: [textOf('probeRefused', values)],
        next: [
          { why: textOf('lookLogs', values), command: logsCommand(it, container) },
          ...it.change('probeListenFix', values),
        ],
        certainty: 'likely',
      };
    },
  ],
  [
    /statuscode: (?<code>\d+)/,
    (failing, { groups }) => {
      const { it, container, kind, values } = failing;
      const code = groups?.['code'] ?? '';
      const all = { ...values, code };
      const logs: NextCommand = { why: textOf('probeLogs', all), command: logsCommand(it, container) };
      const base = code === '404' ? basePath(failing) : undefined;
      if (base)
        return {
          cause: [textOf('probePath', all), textOf('probeBase', { ...all, ...base })],
          next: it.patch(
            'probeBaseFix',
            { ...all, ...base, field: fieldOf[kind] },
            { [fieldOf[kind]]: { httpGet: { path: base.full } } },
            container,
          ),
        };
      const management = code === '404' ? managementPort(failing) : undefined;
      if (management) return management;
      if (code === '404')
        return {
          cause: [textOf('probePath', all)],
          next: [
            ...it.change('probePathFix', { ...all, field: fieldOf[kind] }),
            { ...logs, why: textOf('lookLogs', all) },
          ],
        };
      const host = hostRefused(failing, code);
      if (host) return host;
      if (code === '401' || code === '403')
        return { cause: [textOf('probeAuth', all)], next: it.change('probeAuthFix', { ...all, field: fieldOf[kind] }) };
      if (code === '400')
        return {
          cause: [textOf(isTlsPort(failing) ? 'probe400Tls' : 'probe400', all)],
          next: isTlsPort(failing)
            ? [...it.change('probeTlsFix', { ...all, field: fieldOf[kind] }), logs]
            : [logs, ...it.change('probe400Fix', { ...all, field: fieldOf[kind] })],
          certainty: 'likely',
        };
      if (code.startsWith('3'))
        return {
          cause: [textOf('probeRedirect', all)],
          next: it.change('probePathFix', { ...all, field: fieldOf[kind] }),
        };
      return {
        cause: [textOf(isMesh(container) ? 'probeMesh' : kind === 'readiness' ? 'probeSelfReady' : 'probeSelf', all)],
        next: [
          logs,
          ...(isMesh(container)
            ? [
                {
                  why: textOf('meshControl', all),
                  command: "kubectl get pods -A | grep -iE 'istiod|control-plane|linkerd|consul|mesh'",
                },
              ]
            : []),
          ...(kind === 'liveness' ? it.change('probeSelfFix', all) : []),
        ],
      };
    },
  ],
  [
    /context deadline exceeded|Client\.Timeout|i\/o timeout|timed out|timeout: failed to connect|command .* timed out/i,
    (failing) => {
      const { it, container, kind, values } = failing;
      const port = wrongPort(failing);
      if (port) return port;
      const cpu = cpuLimit(failing);
      if (failing.probe.exec && /command[^\n]* timed out/i.test(failing.said))
        return {
          cause: [textOf('probeExecSlow', values), ...(cpu ? [cpu.cause] : [])],
          next: [
            ...timeoutFix(failing),
            ...(cpu?.next ?? []),
            ...(kind === 'liveness' && diesEarly(failing) ? startupFix(failing) : []),
            { why: textOf('lookLogs', values), command: logsCommand(it, container) },
          ],
          certainty: 'likely',
        };
      if (kind === 'startup')
        return {
          cause: [textOf('probeStartupSlow', values), ...(cpu ? [cpu.cause] : [])],
          next: [
            { why: textOf('probeStartupLog', values), command: logsCommand(it, container) },
            ...startupMore(failing),
            ...(cpu?.next ?? [
              { why: textOf('probeTop', values), command: it.kubectl(`top pod ${it.name} --containers`) },
            ]),
          ],
          certainty: 'likely',
        };
      if (diesEarly(failing))
        return {
          cause: [textOf('probeSlowStart', values), ...(cpu ? [cpu.cause] : [])],
          next: [...startupFix(failing), ...timeoutFix(failing), ...(cpu?.next ?? [])],
          certainty: 'likely',
        };
      const isStarved = cpu !== undefined && starvation.test(it.cluster.logs?.[container.name] ?? '');
      // One late answer kills a container with this probe, whatever its CPU time.
      const isStrict = isStrictProbe(failing.probe);
      const isFirst = cpu !== undefined && (isStarved || (cpu.isSmall && !isStrict));
      return {
        cause: [
          textOf(
            isStarved ? 'probeStarved' : failing.probe.failureThreshold === 1 ? 'probeTimeoutOnce' : 'probeTimeout',
            values,
          ),
          ...(cpu ? [cpu.cause] : []),
          ...(isStarved
            ? [textOf('exitLast', { line: lineOf(it.cluster.logs?.[container.name] ?? '', starvation) })]
            : []),
        ],
        next: [
          ...(isFirst ? cpu.next : []),
          ...timeoutFix(failing),
          ...(isFirst ? [] : (cpu?.next ?? [])),
          { why: textOf('probeTop', values), command: it.kubectl(`top pod ${it.name} --containers`) },
          { why: textOf('lookLogs', values), command: logsCommand(it, container) },
        ],
        certainty: 'likely',
      };
    },
  ],
  [/couldn't find port|named port|invalid (?:syntax|port)/i, (failing) => wrongPort(failing)],
  [
    /rejecting connections|starting up|in recovery|recovering|\bLOADING\b|initiali[sz]ing|warming up|not (?:yet )?(?:fully )?(?:ready|initialized|synced|joined)|still (?:starting|loading)/i,
    ({ it, container, kind, values, said }) =>
      kind === 'readiness'
        ? {
            cause: [textOf('probeWarming', { ...values, said: said.trim() })],
            next: [
              { why: textOf('probeWarmingLog', values), command: logsCommand(it, container) },
              { why: textOf('probeWarmingWait', values), command: it.kubectl(`get pod ${it.name} -w`) },
            ],
            outlook: [textOf('probeWarmingOutlook', values)],
          }
        : undefined,
  ],
  [
    /service unhealthy|rpc error|NOT_SERVING|does not implement the grpc health protocol|gRPC/i,
    ({ it, container, kind, values, said }) => ({
      cause: [textOf(/implement/.test(said) ? 'probeGrpcNone' : 'probeGrpc', values)],
      next: [
        { why: textOf('lookLogs', values), command: logsCommand(it, container) },
        ...(/implement/.test(said) ? it.change('probeExecFix', { ...values, field: fieldOf[kind] }) : []),
      ],
    }),
  ],
];

/** Returns the explanation of the first cause whose words the message contains; undefined without one. */
export function explainFailure(failing: Failing): Explained | undefined {
  for (const [pattern, explain] of causes) {
    const match = pattern.exec(failing.said);
    const found = match ? explain(failing, match) : undefined;
    if (found) return found;
  }
  return undefined;
}
