/**
 * Diagnoses failing probes: too early, too strict, wrong port, scheme or path, missing commands, and programs that
 * report a problem themselves. Upstream: prober.probe and worker.doProbe (kubelet, v1.20 to v1.36).
 */
import type { Probe } from '@podscope/k8s';
import { addMilliseconds } from '@podscope/trace';
import { type ExplainText, textOf } from '@podscope/trace/explain';
import { instantOf, type SnapshotEvent } from '../../pod-snapshot.ts';
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
  workedFor,
} from '../pod-case.ts';
import { lastLines, recognize } from '../program/output.ts';
import { explainFailure } from './causes.ts';
import { type Failing, fieldOf, serverOf, timeToFailure, whatOf } from './probe-case.ts';

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

/**
 * Returns how quickly a killed container starts again: a program that ran for ten minutes has no back-off. With several
 * restarts, how often it is killed follows from their number.
 * @param lasted how long the last instance ran, if that was longer than its probe needs to fail
 */
function pace(
  it: PodCase,
  { runningSince, status }: ContainerCase,
  lasted: number | undefined,
  values: Failing['values'],
): readonly ExplainText[] {
  if (lasted === undefined || lasted < workedFor) return [textOf('probeBackOff', values)];
  const times = status?.restartCount ?? 0;
  const created = instantOf(it.pod.metadata.creationTimestamp);
  const every = created === undefined || runningSince === undefined ? 0 : (runningSince - created) / Math.max(1, times);
  return [
    textOf('probeNoBackOff', values),
    ...(times >= 3 && every >= workedFor ? [textOf('probePace', { ...values, times, every: roughly(every) })] : []),
  ];
}

/** Returns what the exit code of a container says that its probe killed: it is the kubelet's signal, not a crash. */
function signalOf({ it, container, kind, probe, values }: Failing): readonly ExplainText[] {
  const { ended, events, probeKill } = container;
  const killed =
    probeKill?.kind === kind || newest(events, ['Killing'], new RegExp(`${kind} probe`, 'i')) !== undefined;
  if (!killed || !ended || ended.reason === 'OOMKilled') return [];
  const grace = probe.terminationGracePeriodSeconds ?? it.pod.spec.terminationGracePeriodSeconds ?? 30;
  return ended.exitCode === 137
    ? [textOf('probeSigkill', { ...values, grace })]
    : ended.exitCode === 143
      ? [textOf('probeSigterm', values)]
      : [];
}

/** The causes that lie in the fields of the probe, not in the program. */
const ofConfiguration =
  /^probe(?:Port|Named|ExecMissing|Path|Base|Tls|Plain|Host|Early|StartupShort|SlowStart|Auth|Redirect|400Tls)$/;

function outlookOf({ it, container, kind, probe, values }: Failing): readonly ExplainText[] {
  if (kind === 'readiness')
    return [textOf(it.owner.kind === 'StatefulSet' ? 'probeReadySet' : 'probeReadyOutlook', values)];
  const grace = probe.terminationGracePeriodSeconds ?? it.pod.spec.terminationGracePeriodSeconds ?? 30;
  if (container.runningSince !== undefined) {
    const at = addMilliseconds(container.runningSince, timeToFailure(probe));
    const isReady = container.status?.ready === true;
    const isOnce = probe.failureThreshold === 1;
    // If an instance ran longer than the probe needs to fail, its duration shows how long it takes until the problem
    // returns.
    const ran = container.ended && ranFor(container.ended);
    const lasted = ran !== undefined && ran > timeToFailure(probe) + (grace + 60) * 1_000 ? ran : undefined;
    return [
      isReady || at < it.now
        ? lasted === undefined
          ? textOf(isOnce ? 'probeKillOnce' : 'probeKillLater', { ...values, grace })
          : textOf(isOnce ? 'probeKillOnceAfter' : 'probeKillLaterAfter', { ...values, grace, ran: roughly(lasted) })
        : timed('probeKillAt', { time: at }, { ...values, grace }),
      ...pace(it, container, lasted, values),
    ];
  }
  const next = nextStart(container);
  // The duration of the last instance is more exact than the sum of delays, whose first period starts at any time.
  const ran = container.ended && ranFor(container.ended);
  const dies = ran !== undefined && ran <= timeToFailure(probe) + (grace + 5) * 1_000 ? roughly(ran) : undefined;
  return [
    next ? timed('probeNext', { time: next.at }, { ...values, wait: exactly(next.wait) }) : textOf('crashSoon', values),
    textOf(dies === undefined ? 'probeKillAgain' : 'probeKillAgainAfter', { ...values, grace, ran: dies ?? '' }),
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

/** Returns that a database keeps its first password, if its probe is refused for the password. */
function keptPassword({ pod }: PodCase, { spec }: ContainerCase, said: string): readonly ExplainText[] {
  if (!/password authentication failed|Access denied for user/i.test(said)) return [];
  const claim = pod.spec.volumes?.find(
    (volume) => volume.persistentVolumeClaim && spec.volumeMounts?.some(({ name }) => name === volume.name),
  )?.persistentVolumeClaim?.claimName;
  return claim === undefined ? [] : [textOf('probeKept', { claim })];
}

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
  let found = explainFailure(failing);
  const isExec = probe.exec !== undefined && (said !== '' || kill !== undefined);
  // Other words of the output, such as a missing file, concern the probe's command.
  const isLogin = /authentication failed|access denied|NOAUTH|WRONGPASS/i.test(said);
  const ofOutput = found === undefined && isExec && isLogin ? recognize(it, container, said) : undefined;
  const kept = keptPassword(it, container, said);
  if (ofOutput)
    found = {
      cause: [textOf('probeExecSaid', { ...values, said: said.trim() }), ...(kept.length > 0 ? kept : ofOutput.cause)],
      next: ofOutput.next,
      ...(ofOutput.line === undefined ? {} : { line: ofOutput.line }),
      certainty: 'likely',
    };
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
    origin: found.cause.some(({ id }) => ofConfiguration.test(id)) && !known ? 'configuration' : 'program',
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
      ...signalOf(failing),
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
