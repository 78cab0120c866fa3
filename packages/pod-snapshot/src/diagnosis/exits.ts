/** Diagnoses containers that ended, crash or could not be started, from exit codes and the program's last lines. */

import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import {
  type ContainerCase,
  type ContainerMatcher,
  crashOutlook,
  type Finding,
  factsOf,
  failedOutlook,
  goMilliseconds,
  isPresent,
  isRestarted,
  logsCommand,
  type PodCase,
  ranFor,
  roughly,
} from './pod-case.ts';
import { timeToFailure } from './probes/probe-case.ts';
import { complaintOf } from './program/complaint.ts';
import { ownership } from './program/files.ts';
import { exitCaseOf, recognize, tellingLine } from './program/output.ts';
import { mentions, origins } from './program/places.ts';
import { rollBack } from './program/recognizer.ts';
import { inImage, onNode } from './runtime.ts';

const signals: Readonly<Record<number, string>> = {
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  15: 'SIGTERM',
};

/** Quotes a word for a shell. */
const quoted = (word: string): string => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const statusUnknown = 'ContainerStatusUnknown';

function completed(it: PodCase, container: ContainerCase): Finding | undefined {
  const { ended, name, role } = container;
  if (!ended || !isRestarted(it, container) || role === 'init') return undefined;
  const ran = ranFor(ended);
  const values = {
    container: name,
    owner: it.owner.label,
    ran: ran === undefined ? '' : roughly(ran),
    policy: it.pod.spec.restartPolicy ?? 'Always',
  };
  return {
    reason: container.waiting?.reason || 'Completed',
    severity: 'error',
    origin: 'configuration',
    container: name,
    title: textOf('exitZeroTitle', values),
    cause: [textOf('exitZero', values), textOf(it.owner.kind === 'Pod' ? 'exitZeroPod' : 'exitZeroOwner', values)],
    said: ended.message?.trim() || undefined,
    facts: factsOf(
      [`${ended.path}.exitCode`, ended.exitCode],
      [`${ended.path}.reason`, ended.reason],
      ['spec.restartPolicy', it.pod.spec.restartPolicy],
    ),
    outlook: crashOutlook(it, container, true),
    next: [
      {
        why: textOf('exitZeroJob', values),
        command: it.kubectl(
          `create job ${name} ` +
            `--image=${container.spec.image ?? ''}` +
            (container.spec.command
              ? ` -- ${[...container.spec.command, ...(container.spec.args ?? [])].map(quoted).join(' ')}`
              : ''),
        ),
      },
      ...it.change('exitZeroForeground', values),
    ],
  };
}

/** Returns the texts for an exit that doesn't show its cause. */
function byCode(
  it: PodCase,
  container: ContainerCase,
  code: number,
): {
  readonly title: ExplainText;
  readonly cause: readonly ExplainText[];
  readonly next: readonly NextCommand[];
  readonly certainty?: 'unknown' | 'likely';
  readonly origin: Finding['origin'];
} {
  const { name } = container;
  const signal = code > 128 && code < 160 ? signals[code - 128] : undefined;
  const values = {
    container: name,
    code,
    signal: signal ?? '',
    image: container.spec.image ?? '',
    node: it.node,
  };
  const look: NextCommand = { why: textOf('lookLogs', values), command: logsCommand(it, container) };
  if (code === 132)
    return {
      title: textOf('exitSignalTitle', values),
      cause: [textOf('exitIll', values)],
      next: [
        { why: textOf('exitIllCpu', values), command: onNode(it, 'grep -m2 -E "model name|flags" /proc/cpuinfo') },
        ...it.change('exitIllFix', values),
        ...rollBack({ it, values: { container: name } }),
      ],
      origin: 'program',
    };
  if (code === 139 || code === 135 || code === 136 || code === 134)
    return {
      title: textOf('exitSignalTitle', values),
      cause: [textOf(code === 134 ? 'exitAbort' : 'exitSegv', values)],
      next: [
        look,
        ...rollBack({ it, values: { container: name } }),
        { why: textOf('exitSegvImage', values), command: inImage(it, container, '') },
      ],
      origin: 'program',
    };
  if (code === 137)
    return {
      title: textOf('exitKillTitle', values),
      cause: [textOf('exitKill', values)],
      next: [
        { why: textOf('lookEvents'), command: it.kubectl(`describe pod ${it.name}`) },
        { why: textOf('exitKillNode', values), command: `kubectl describe node ${it.node}` },
        look,
      ],
      certainty: 'unknown',
      origin: 'node',
    };
  if (code === 143)
    return {
      title: textOf('exitTermTitle', values),
      cause: [textOf('exitTerm', values)],
      next: [{ why: textOf('lookEvents'), command: it.kubectl(`describe pod ${it.name}`) }, look],
      certainty: 'unknown',
      origin: 'program',
    };
  if (code === 127)
    return {
      title: textOf('exitTitle', values),
      cause: [textOf('exitCode127', values)],
      next: [look, ...it.change('runCommandFix', { ...values, program: '' })],
      origin: 'configuration',
    };
  if (code === 126)
    return {
      title: textOf('exitTitle', values),
      cause: [textOf('exitCode126', values)],
      next: [look, ...it.change('exit126Fix', values)],
      origin: 'configuration',
    };
  if (
    new RegExp(`\\bexit ${code}\\b`).test([...(container.spec.command ?? []), ...(container.spec.args ?? [])].join(' '))
  )
    return {
      title: textOf('exitTitle', values),
      cause: [textOf('exitOwn', values)],
      next: [look, ...it.change('exitOwnFix', values)],
      certainty: 'likely',
      origin: 'configuration',
    };
  if (code === 130)
    return { title: textOf('exitTitle', values), cause: [textOf('exit130', values)], next: [look], origin: 'program' };
  return {
    title: textOf('exitTitle', values),
    cause: [textOf('exitCode', values)],
    next: [look],
    certainty: 'unknown',
    origin: 'program',
  };
}

/**
 * Returns the texts for a kill if no event names its sender and the duration of the instance matches the failure
 * threshold of a probe.
 */
function probablyProbe(it: PodCase, container: ContainerCase): ReturnType<typeof byCode> | undefined {
  const { ended, name, spec } = container;
  const ran = ended && ranFor(ended);
  if (!ended || ran === undefined || (ended.exitCode !== 137 && ended.exitCode !== 143)) return undefined;
  for (const kind of ['startup', 'liveness'] as const) {
    const probe = spec[`${kind}Probe`];
    if (!probe) continue;
    const grace = probe.terminationGracePeriodSeconds ?? it.pod.spec.terminationGracePeriodSeconds ?? 30;
    const { periodSeconds = 10, timeoutSeconds = 1 } = probe;
    const earliest = timeToFailure(probe) - periodSeconds * 1_000;
    const killed = ended.exitCode === 137 ? earliest + grace * 1_000 : earliest;
    const latest = timeToFailure(probe) + (grace + periodSeconds + timeoutSeconds + 5) * 1_000;
    if (ran < killed - 2_000 || ran > latest) continue;
    const values = {
      container: name,
      code: ended.exitCode,
      node: it.node,
      kind,
      ran: roughly(ran),
      timeToFailure: roughly(timeToFailure(probe)),
      grace,
    };
    return {
      title: textOf(ended.exitCode === 137 ? 'exitKillTitle' : 'exitTermTitle', values),
      cause: [textOf('exitProbably', values)],
      next: [
        { why: textOf('exitProbablyLook', values), command: it.kubectl(`describe pod ${it.name}`) },
        { why: textOf('lookLogs', values), command: logsCommand(it, container) },
        ...it.change('exitProbablyFix', { ...values, field: `${kind}Probe` }),
        { why: textOf('exitKillNode', values), command: `kubectl describe node ${it.node}` },
      ],
      certainty: 'likely',
      origin: 'program',
    };
  }
  return undefined;
}

/** The arguments of servers that limit one request or the end, not the wait for something. */
const servesWith = /keep|idle|grace|shutdown|read|write|request|worker/i;

/**
 * Returns the texts for an exit without words of a program that ran as long as one of its arguments lets it wait;
 * undefined if no argument has that duration.
 */
function waitedInVain(it: PodCase, container: ContainerCase, code: number): ReturnType<typeof byCode> | undefined {
  const { ended, name, spec } = container;
  const ran = ended && ranFor(ended);
  if (ran === undefined || ran < 5_000 || code === 0 || code > 125) return undefined;
  const words = [...(spec.command ?? []), ...(spec.args ?? [])].flatMap((word) => word.split(/\s+/));
  const setting = words.flatMap((word, index) => {
    const [, flag = '', given] = /^(--?[\w-]*(?:wait|timeout|deadline|patience)[\w-]*)(?:=(.+))?$/i.exec(word) ?? [];
    const value = given ?? words[index + 1] ?? '';
    const time =
      flag === '' || servesWith.test(flag)
        ? undefined
        : (goMilliseconds(value) ?? (/^\d+$/.test(value) ? Number(value) * 1_000 : undefined));
    return time !== undefined && Math.abs(ran - time) <= Math.max(3_000, time / 10) ? [`${flag} ${value}`] : [];
  })[0];
  if (setting === undefined) return undefined;
  const values = { container: name, code, setting, ran: roughly(ran), namespace: it.namespace };
  const isCertManager = /startupapicheck|cmctl|cert-manager-ctl/.test(spec.image ?? '');
  return {
    title: textOf('exitWaitedTitle', values),
    cause: [textOf('exitWaited', values), ...(isCertManager ? [textOf('exitWaitedCert')] : [])],
    next: [
      { why: textOf('exitWaitedLog', values), command: logsCommand(it, container) },
      { why: textOf('exitWaitedPods', values), command: it.kubectl('get pods,endpointslices -o wide') },
    ],
    certainty: 'likely',
    origin: isCertManager ? 'network' : 'program',
  };
}

/**
 * Returns the texts for a command that changes owners without being root, if the output doesn't show why it failed.
 */
function changesOwner(it: PodCase, container: ContainerCase, code: number): ReturnType<typeof byCode> | undefined {
  const { command = [], args = [], securityContext: own } = container.spec;
  const { securityContext: ofPod } = it.pod.spec;
  const user = own?.runAsUser ?? ofPod?.runAsUser;
  const isRoot = user === undefined ? !(own?.runAsNonRoot ?? ofPod?.runAsNonRoot) : user === 0;
  const path = /\bch(?:own|grp)\b[^|;&\n]*?\s(?<path>\/[\w./-]+)/.exec([...command, ...args].join(' '))?.groups?.[
    'path'
  ];
  if (isRoot || path === undefined || code !== 1) return undefined;
  const { title, cause, next } = ownership(exitCaseOf(it, container), path);
  const look: NextCommand = {
    why: textOf('lookLogs', { container: container.name }),
    command: logsCommand(it, container),
  };
  return { title, cause, next: [...next, look], certainty: 'likely', origin: 'configuration' };
}

const startReasons = new Set(['StartError', 'ContainerCannotRun', 'RunContainerError', 'CreateContainerError']);

/** Returns the program that a container starts, for messages that don't name it. */
const programOf = ({ spec }: ContainerCase): string => [...(spec.command ?? []), ...(spec.args ?? [])][0] ?? '';

/** Diagnoses a container that exited with an error or exits repeatedly. */
export const exitFinding: ContainerMatcher = (it, container) => {
  const { ended, name, role, waiting, statusPath, runningSince, status } = container;
  const cannotRun = waiting?.reason === 'RunContainerError' || waiting?.reason === 'CreateContainerError';
  if (!ended && !cannotRun) return undefined;
  if (ended && (!isPresent(it, container) || ended.reason === statusUnknown)) return undefined;
  // The node or its runtime was restarted, and the container starts again after the init containers.
  if (ended?.reason === 'Unknown' && /^(?:PodInitializing|ContainerCreating)$/.test(waiting?.reason ?? ''))
    return undefined;
  if (ended?.exitCode === 0 && !cannotRun) return completed(it, container);
  const code = ended?.exitCode ?? 128;
  const said = [ended?.message ?? '', cannotRun ? waiting.message : '', it.cluster.logs?.[name] ?? '']
    .filter((each) => each.trim() !== '')
    .join('\n')
    .trim();
  const known = recognize(it, container, said);
  const restarts = isRestarted(it, container) || (cannotRun && it.pod.status?.phase !== 'Failed');
  const isStart = startReasons.has(ended?.reason ?? waiting?.reason ?? '') || cannotRun;
  const values = {
    container: name,
    code,
    node: it.node,
    image: container.spec.image ?? '',
    program: programOf(container),
    line: tellingLine(said),
  };
  const fallback =
    probablyProbe(it, container) ??
    changesOwner(it, container, code) ??
    waitedInVain(it, container, code) ??
    byCode(it, container, code);
  const exit = exitCaseOf(it, container);
  const classified = isStart || said === '' ? undefined : complaintOf(exit, values.line, said);
  const generic = {
    title: isStart ? textOf('startTitle', values) : said ? textOf('exitTitle', values) : fallback.title,
    cause: isStart
      ? [textOf('start', values)]
      : said
        ? [textOf('exitSaid', values), ...origins(exit, said)]
        : fallback.cause,
    next: isStart
      ? it.change('startFix', values)
      : said
        ? [
            { why: textOf('lookLogs', values), command: logsCommand(it, container) },
            ...mentions(exit, said),
            ...it.change('exitFix', values),
            ...rollBack({ it, values: { container: name } }),
          ]
        : fallback.next,
    origin: isStart ? ('runtime' as const) : fallback.origin,
    certainty: said ? ('likely' as const) : fallback.certainty,
  };
  // A runtime that ends itself by a signal after an exception reports an exception, so its words name the cause.
  const isReported =
    (code === 134 && /exception|error|panic|assert/i.test(values.line)) ||
    /^(?:Unhandled exception|Uncaught|Traceback|Caused by)/i.test(values.line);
  const signal =
    known === undefined &&
    code > 128 &&
    said !== '' &&
    signals[code - 128] !== undefined &&
    !isStart &&
    !(isReported && classified);
  const found =
    known ??
    (signal
      ? { ...fallback, cause: [...fallback.cause, textOf('exitLast', values)] }
      : classified
        ? { ...classified, certainty: 'likely' as const }
        : generic);
  const ran = ended && ranFor(ended);
  const times = status?.restartCount ?? 0;
  return {
    reason: waiting?.reason || (ended?.reason ?? 'Error'),
    severity: runningSince !== undefined && status?.ready ? 'info' : 'error',
    origin: found.origin ?? 'program',
    ...('certainty' in found && found.certainty ? { certainty: found.certainty } : {}),
    container: name,
    title: found.title,
    cause: [
      ...found.cause,
      ...(isStart || !ended
        ? []
        : [
            textOf(times > 0 ? 'exitTimes' : 'exitOnce', {
              ...values,
              times,
              ran: ran === undefined ? '0 s' : roughly(ran),
            }),
          ]),
      ...(role === 'init'
        ? [textOf(restarts ? 'initHolds' : 'initFailed', { container: name })]
        : role === 'sidecar'
          ? [textOf('sidecarHolds', { container: name })]
          : []),
    ],
    said: said || undefined,
    facts: ended
      ? factsOf(
          [`${ended.path}.exitCode`, ended.exitCode],
          [`${ended.path}.reason`, ended.reason],
          [`${ended.path}.message`, tellingLine(ended.message ?? '')],
          [`${statusPath}.restartCount`, times || undefined],
          [`log of ${name}`, ended.message ? undefined : (known?.line ?? tellingLine(it.cluster.logs?.[name] ?? ''))],
        )
      : factsOf([`${statusPath}.state.waiting.message`, waiting?.message]),
    outlook: restarts
      ? [...crashOutlook(it, container, true), ...(known?.heals ? [textOf('crashHeals')] : [])]
      : role === 'main' && it.pod.status?.phase === 'Running'
        ? [textOf('exitStays', { container: name })]
        : failedOutlook(it, known?.heals),
    next: found.next,
  };
};
