/**
 * Diagnoses failing probes: too early, too strict, wrong port, scheme or path, missing commands, and programs that
 * report a problem themselves. Upstream: prober.probe and worker.doProbe (kubelet, v1.20 to v1.36).
 */
import type { Probe } from '@podscope/k8s';
import { addMilliseconds } from '@podscope/trace';
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import type { SnapshotEvent } from '../pod-snapshot.ts';
import { quantityNanos } from './memory.ts';
import {
  type ContainerCase,
  type ContainerMatcher,
  eventFact,
  exactly,
  type Finding,
  factsOf,
  logsCommand,
  newest,
  nextStart,
  type PodCase,
  probePort,
  ranFor,
  roughly,
  timed,
} from './pod-case.ts';
import { listeningIn } from './program/listening.ts';
import { lastLines, recognize } from './program/output.ts';
import { lineOf } from './program/recognizer.ts';

type Kind = 'startup' | 'liveness' | 'readiness';

interface Failing {
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

interface Explained {
  readonly cause: readonly ExplainText[];
  readonly next: readonly NextCommand[];
  readonly certainty?: 'likely';
  /** The line of the log that shows the cause. */
  readonly line?: string;
  /** Further texts about what happens next, in addition to those for the kind of probe. */
  readonly outlook?: readonly ExplainText[];
}

const fieldOf = { startup: 'startupProbe', liveness: 'livenessProbe', readiness: 'readinessProbe' } as const;

/**
 * Returns how many milliseconds after the start of a container its probe reaches the failure threshold. Upstream:
 * worker.doProbe.
 */
export const timeToFailure = ({ initialDelaySeconds = 0, periodSeconds = 10, failureThreshold = 3 }: Probe): number =>
  (initialDelaySeconds + periodSeconds * failureThreshold) * 1_000;

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

/** Returns which handler a probe of a container has. */
function handlerOf({ spec }: ContainerCase, field: string): 'httpGet' | 'tcpSocket' | 'grpc' {
  const probe = Object.entries(spec).find(([name]) => name === field)?.[1] as Probe | undefined;
  return probe?.httpGet ? 'httpGet' : probe?.grpc ? 'grpc' : 'tcpSocket';
}

/** Returns the field names of all probes of a container that connect to a port. */
const fieldsAt = ({ spec }: ContainerCase, port: number): readonly string[] =>
  Object.values(fieldOf).filter((field) => {
    const probe = spec[field];
    return probe !== undefined && probePort(probe, spec).port === port;
  });

/** The ports on which the proxies of meshes answer the rewritten probes of the other containers. */
const proxyPorts: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^istio-proxy$/, [15_020, 15_021]],
  [/^linkerd-proxy$/, [4_143, 4_191]],
  [/^(?:consul-dataplane|envoy)/, [20_000, 20_300, 20_400, 20_500]],
];

/** Returns the other container of the pod that listens on a port according to its spec; undefined without one. */
const serverOf = ({ it, container }: Failing, port: number | undefined): ContainerCase | undefined =>
  (container.spec.ports ?? []).some(({ containerPort }) => containerPort === port)
    ? undefined
    : it.containers.find(
        ({ name, role, spec }) =>
          name !== container.name &&
          role !== 'init' &&
          (proxyPorts.some(([pattern, ports]) => pattern.test(name) && ports.includes(port ?? 0)) ||
            (spec.ports ?? []).some(({ containerPort }) => containerPort === port)),
      );

function wrongPort(failing: Failing): Explained | undefined {
  const { it, container, kind, probe, values } = failing;
  const { port, named } = probePort(probe, container.spec);
  const server = serverOf(failing, port);
  if (server)
    return {
      cause: [textOf('probeThrough', { ...values, other: server.name })],
      next: [{ why: textOf('lookLogs', { container: server.name }), command: logsCommand(it, server) }],
    };
  // Probes connect over TCP, so only TCP ports are compared.
  const ports = (container.spec.ports ?? [])
    .filter(({ protocol }) => protocol === undefined || protocol === 'TCP')
    .map(({ containerPort }) => containerPort);
  const [first, ...others] = (container.spec.ports ?? []).filter(({ name }) => name !== undefined);
  const only = first && others.length === 0 ? { other: first.name ?? '', number: first.containerPort } : undefined;
  if (named !== undefined && port === undefined)
    return {
      cause: [textOf(only === undefined ? 'probeNamed' : 'probeNamedOther', { ...values, named, ...only })],
      next: it.change(only === undefined ? 'probeNamedFix' : 'probeNamedOtherFix', {
        ...values,
        named,
        ...only,
        field: fieldOf[kind],
      }),
    };
  if (port === undefined || ports.length === 0 || ports.includes(port)) return undefined;
  return {
    cause: [textOf('probePort', { ...values, port, ports: ports.join(', ') })],
    next: [
      ...it.patch(
        'probePortFix',
        { ...values, port: ports[0] ?? '', field: fieldsAt(container, port).join(', ') },
        Object.fromEntries(
          fieldsAt(container, port).map((field) => [field, { [handlerOf(container, field)]: { port: ports[0] } }]),
        ),
        container,
      ),
      ...(container.runningSince === undefined
        ? []
        : [
            {
              why: textOf('probeListen', values),
              command: it.kubectl(`exec ${it.name} -c ${container.name} -- sh -c 'ss -lnt || netstat -lnt'`),
            },
          ]),
    ],
  };
}

/** Explains a refused connection by the addresses on which the program listens according to its log. */
function listensElsewhere({ it, container, kind, probe, values }: Failing): Explained | undefined {
  const { port } = probePort(probe, container.spec);
  const heard = listeningIn(it.cluster.logs?.[container.name] ?? '');
  const [first] = heard;
  if (port === undefined || first === undefined || heard.some((each) => each.port === port && !each.isLocal))
    return undefined;
  const local = heard.find((each) => each.port === port);
  const open = heard.filter(({ isLocal }) => !isLocal);
  const all = {
    ...values,
    ports: heard.map(({ port: each, isLocal }) => (isLocal ? `127.0.0.1:${each}` : each)).join(', '),
    other: open[0]?.port ?? '',
    field: fieldOf[kind],
  };
  return {
    line: (local ?? first).line,
    cause: [textOf(local ? 'probeLoopback' : 'probeElsewhere', all)],
    next: local
      ? it.change('probeLoopbackFix', all)
      : open.length === 1 && !/health|admin|metrics|management/i.test(`${probe.httpGet?.port ?? ''}`)
        ? it.patch(
            'probePortFix',
            { ...all, port: all.other, field: fieldsAt(container, port).join(', ') },
            Object.fromEntries(
              fieldsAt(container, port).map((field) => [field, { [handlerOf(container, field)]: { port: all.other } }]),
            ),
            container,
          )
        : it.change('probeElsewhereFix', all),
  };
}

/**
 * Returns the prefix of all paths that a variable or argument of the program sets and the probe's path lacks; undefined
 * without one.
 */
function basePath({
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
function cpuLimit({
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
  // The QoS class Guaranteed needs equal requests and limits.
  const isEqual = String(requests?.['cpu'] ?? cpu) === String(cpu);
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
function startupFix({ it, container, probe, values }: Failing): readonly NextCommand[] {
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
const startupMore = ({ it, container, probe, values }: Failing): readonly NextCommand[] => {
  const more = (probe.failureThreshold ?? 3) * 3;
  return it.patch('probeStartupMore', { ...values, more }, { startupProbe: { failureThreshold: more } }, container);
};

/** Returns the command that makes a probe less strict. */
const timeoutFix = ({ it, container, kind, probe, values }: Failing): readonly NextCommand[] => {
  const seconds = Math.max(5, (probe.timeoutSeconds ?? 1) * 2);
  return it.patch(
    'probeTimeoutFix',
    { ...values, seconds, field: fieldOf[kind] },
    { [fieldOf[kind]]: { timeoutSeconds: seconds } },
    container,
  );
};

/** Matches messages of programs that didn't get CPU time. */
const starvation = /thread starvation|clock leap|CPU starvation|event loop (?:is )?(?:blocked|lag|delay)|throttl/i;

/** The causes by words in the failure's message, the most specific first. */
const causes: readonly (readonly [RegExp, (failing: Failing, found: RegExpExecArray) => Explained | undefined])[] = [
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
      if (code === '404')
        return {
          cause: [textOf('probePath', all)],
          next: [
            ...it.change('probePathFix', { ...all, field: fieldOf[kind] }),
            { ...logs, why: textOf('lookLogs', all) },
          ],
        };
      if (code === '401' || code === '403')
        return { cause: [textOf('probeAuth', all)], next: it.change('probeAuthFix', { ...all, field: fieldOf[kind] }) };
      if (code === '400')
        return {
          cause: [textOf('probe400', all)],
          next: [...it.change('probeTlsFix', { ...all, field: fieldOf[kind] }), logs],
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
      const isFirst = cpu !== undefined && (isStarved || cpu.isSmall);
      return {
        cause: [
          textOf(isStarved ? 'probeStarved' : 'probeTimeout', values),
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

/** Returns the target of a probe, for example `HTTP GET :8080/ready`. */
function whatOf({ httpGet, tcpSocket, grpc, exec }: Probe, port: number | undefined): string {
  if (httpGet) return `${httpGet.scheme ?? 'HTTP'} GET :${port ?? httpGet.port}${httpGet.path ?? '/'}`;
  if (tcpSocket) return `TCP :${port ?? tcpSocket.port}`;
  return grpc ? `gRPC :${port ?? grpc.port}` : (exec?.command ?? []).join(' ');
}

/**
 * Returns whether a probe of a ready container has failed often, long after its start, over at least ten minutes and
 * until now.
 */
function isFlapping(
  it: PodCase,
  { runningSince }: ContainerCase,
  probe: Probe,
  event: SnapshotEvent | undefined,
): boolean {
  const span = 600_000;
  return (
    event !== undefined &&
    runningSince !== undefined &&
    event.count >= 10 &&
    event.first > runningSince + timeToFailure(probe) + span &&
    event.last - event.first >= span &&
    it.now - event.last < span
  );
}

/**
 * Returns the most important failing probe. A probe that kills the container comes before one that only stops its
 * traffic.
 */
function failingProbe(it: PodCase, container: ContainerCase): Failing | undefined {
  for (const kind of ['startup', 'liveness', 'readiness'] as const) {
    const probe = container.spec[fieldOf[kind]];
    if (!probe) continue;
    const title = `${kind[0]?.toUpperCase()}${kind.slice(1)}`;
    const unhealthy = newest(container.events, ['Unhealthy', 'ProbeWarning'], new RegExp(`^${title} probe`));
    const killed =
      container.probeKill?.kind === kind ||
      newest(container.events, ['Killing'], new RegExp(`failed ${kind} probe|${kind} probe failed`, 'i'));
    const flaps =
      kind === 'readiness' && container.status?.ready === true && isFlapping(it, container, probe, unhealthy);
    const isPast = kind === 'readiness' && container.status?.ready === true && !flaps;
    const isOver = kind === 'startup' && container.status?.started === true && !killed;
    // An error isn't a result, so the container stays ready.
    const isError = /^\w+ probe errored/.test(unhealthy?.message ?? '');
    const recovered = !killed && !isError && !flaps && container.status?.ready === true;
    if ((!unhealthy && !killed) || isPast || isOver || recovered) continue;
    // While the program isn't running, its readiness probe always fails, so that failure isn't a cause.
    if (kind === 'readiness' && container.runningSince === undefined) continue;
    const said = (unhealthy?.message ?? '').replace(/^\w+ probe (?:failed|errored)[^:]*: ?/, '');
    const {
      httpGet,
      exec,
      timeoutSeconds = 1,
      failureThreshold = 3,
      periodSeconds = 10,
      initialDelaySeconds = 0,
    } = probe;
    const { port } = probePort(probe, container.spec);
    return {
      it,
      container,
      kind,
      probe,
      said,
      flaps: flaps ? unhealthy : undefined,
      values: {
        container: container.name,
        kind,
        what: whatOf(probe, port),
        port: String(port ?? ''),
        path: httpGet?.path ?? '',
        timeout: timeoutSeconds,
        threshold: failureThreshold,
        period: periodSeconds,
        delay: initialDelaySeconds,
        timeToFailure: roughly(timeToFailure(probe)),
        command: (exec?.command ?? []).join(' '),
      },
    };
  }
  return undefined;
}

function outlookOf({ it, container, kind, probe, values }: Failing): readonly ExplainText[] {
  if (kind === 'readiness')
    return [textOf(it.owner.kind === 'StatefulSet' ? 'probeReadySet' : 'probeReadyOutlook', values)];
  const grace = probe.terminationGracePeriodSeconds ?? it.pod.spec.terminationGracePeriodSeconds ?? 30;
  if (container.runningSince !== undefined) {
    const at = addMilliseconds(container.runningSince, timeToFailure(probe));
    const isReady = container.status?.ready === true;
    // If an instance ran longer than the probe needs to fail, its duration shows how long it takes until the problem
    // returns.
    const ran = container.ended && ranFor(container.ended);
    const lasted = ran !== undefined && ran > timeToFailure(probe) + (grace + 60) * 1_000 ? ran : undefined;
    return [
      isReady || at < it.now
        ? lasted === undefined
          ? textOf('probeKillLater', { ...values, grace })
          : textOf('probeKillLaterAfter', { ...values, grace, ran: roughly(lasted) })
        : timed('probeKillAt', { time: at }, { ...values, grace }),
      textOf('probeBackOff', values),
    ];
  }
  const next = nextStart(container);
  return [
    next ? timed('probeNext', { time: next.at }, { ...values, wait: exactly(next.wait) }) : textOf('crashSoon', values),
    textOf('probeKillAgain', { ...values, grace }),
  ];
}

/** Diagnoses a container that runs but isn't ready, if no event of the pod names the reason. */
function silentFinding(it: PodCase, container: ContainerCase): Finding | undefined {
  const { name, spec, specPath, status, statusPath, runningSince } = container;
  const kind = status?.started === false && spec.startupProbe ? 'startup' : 'readiness';
  const probe = spec[fieldOf[kind]];
  if (it.events.length > 0 || runningSince === undefined || status?.ready !== false || probe === undefined)
    return undefined;
  const { port } = probePort(probe, spec);
  const { httpGet } = probe;
  const values = {
    container: name,
    kind,
    what: whatOf(probe, port),
    port: String(port ?? ''),
    path: httpGet?.path ?? '',
    scheme: (httpGet?.scheme ?? 'http').toLowerCase(),
  };
  return {
    reason: 'ContainersNotReady',
    severity: 'error',
    origin: 'program',
    certainty: 'unknown',
    container: name,
    title: textOf(kind === 'startup' ? 'probeTitleStartup' : 'probeTitleReadiness', values),
    cause: [textOf('silentReady', values)],
    facts: factsOf(
      [`${specPath}.${fieldOf[kind]}`, probe],
      [`${statusPath}.ready`, status.ready],
      [`${statusPath}.state.running.startedAt`, status.state?.running?.startedAt],
    ),
    outlook: [
      kind === 'startup'
        ? textOf('probeKillLater', {
            ...values,
            threshold: probe.failureThreshold ?? 3,
            grace: it.pod.spec.terminationGracePeriodSeconds ?? 30,
          })
        : textOf(it.owner.kind === 'StatefulSet' ? 'probeReadySet' : 'probeReadyOutlook', values),
    ],
    next: [
      { why: textOf('silentReadyEvents'), command: it.kubectl(`describe pod ${it.name}`) },
      { why: textOf('lookLogs', values), command: logsCommand(it, container) },
      ...(httpGet && port !== undefined
        ? [{ why: textOf('silentReadyAsk', values), command: it.kubectl(`port-forward pod/${it.name} ${port}`) }]
        : []),
    ],
  };
}

/** The causes of failing probes that lie in what the program does, and not in the probe. */
const ofProgram: ReadonlySet<string> = new Set([
  'probeSelf',
  'probeSelfReady',
  'probeMesh',
  'probeRefused',
  'probeTimeout',
  'probeStartupSlow',
  'probeStartupShort',
  'probeGrpc',
  'probeUnknown',
]);

/** Diagnoses a container whose probe fails. */
export const probeFinding: ContainerMatcher = (it, container): Finding | undefined => {
  const failing = failingProbe(it, container);
  if (!failing) return silentFinding(it, container);
  // While the proxy that answers the probe fails, its own finding names the cause.
  const server = serverOf(failing, probePort(failing.probe, container.spec).port);
  if (server && server.status?.ready !== true) return undefined;
  const { kind, said, values, probe, flaps } = failing;
  const { name, specPath, role, status, statusPath, ended } = container;
  const kill = container.probeKill?.kind === kind ? container.probeKill : undefined;
  let found: Explained | undefined;
  for (const [pattern, explain] of causes) {
    const match = pattern.exec(said);
    found = match ? explain(failing, match) : undefined;
    if (found) break;
  }
  const isExec = probe.exec !== undefined && (said !== '' || kill !== undefined);
  found ??= {
    cause: kill ? [] : [textOf(isExec ? 'probeExecSaid' : 'probeUnknown', { ...values, said })],
    next: [
      { why: textOf('lookLogs', values), command: logsCommand(it, container) },
      ...(isExec && container.runningSince !== undefined
        ? [
            {
              why: textOf('probeExecTry', values),
              command: it.kubectl(`exec ${it.name} -c ${name} -- ${probe.exec?.command?.join(' ')}`),
            },
          ]
        : []),
      ...(isExec ? it.change('probeExecChange', values) : []),
    ],
  };
  // A probe whose answer depends on the program fails for the reason that the program logs.
  const isProgram = found.cause.some(({ id }) => ofProgram.has(id));
  const known = isProgram ? recognize(it, container, lastLines(it.cluster.logs?.[name] ?? '')) : undefined;
  if (known)
    found = {
      ...found,
      cause: [...found.cause, textOf('hookLogged', values), ...known.cause],
      next: [...known.next, ...found.next],
      certainty: 'likely',
    };
  const behind =
    role === 'main'
      ? []
      : it.containers
          .slice(it.containers.indexOf(container) + 1)
          .filter(({ runningSince, ended }) => runningSince === undefined && !ended);
  const event = newest(container.events, ['Unhealthy', 'ProbeWarning'], new RegExp(`^${kind}`, 'i'));
  const isNoResult =
    kind === 'liveness' &&
    /probe errored and resulted in unknown/.test(event?.message ?? '') &&
    container.runningSince !== undefined;
  return {
    reason: kind === 'readiness' ? 'ContainersNotReady' : container.waiting?.reason || 'Unhealthy',
    severity: flaps ? 'info' : 'error',
    origin: 'program',
    ...(kill && kill.failures === undefined
      ? { certainty: 'likely' as const }
      : found.certainty
        ? { certainty: found.certainty }
        : {}),
    container: name,
    title: flaps
      ? textOf('probeFlapsTitle', values)
      : textOf(
          { startup: 'probeTitleStartup', liveness: 'probeTitleLiveness', readiness: 'probeTitleReadiness' }[
            kind
          ] as 'probeTitleStartup',
          values,
        ),
    cause: [
      ...(flaps
        ? [timed('probeFlaps', { first: flaps.first, last: flaps.last }, { ...values, failures: flaps.count })]
        : []),
      ...(kill
        ? [
            kill.failures === undefined
              ? textOf('probeKillUnseen', values)
              : textOf('probeKillSeen', { ...values, failures: kill.failures }),
          ]
        : []),
      ...found.cause,
      ...(behind.length > 0
        ? [textOf('sidecarBehind', { container: name, waiting: behind.map((each) => each.name).join(', ') })]
        : []),
    ],
    said: said || undefined,
    facts: [
      ...factsOf(
        [`${specPath}.${fieldOf[kind]}`, probe],
        [`${specPath}.ports`, container.spec.ports],
        [`${statusPath}.restartCount`, status?.restartCount || undefined],
        [`log of ${name}`, known?.line ?? found.line],
        [kill && ended ? `${ended.path}.exitCode` : '', kill && ended?.exitCode],
      ),
      ...eventFact(event),
    ],
    outlook: flaps
      ? [textOf('probeFlapsOutlook')]
      : isNoResult
        ? [textOf('probeErrorOutlook', values)]
        : [...outlookOf(failing), ...(found.outlook ?? [])],
    next: found.next,
  };
};
