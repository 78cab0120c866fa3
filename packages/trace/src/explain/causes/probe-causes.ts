/** Diagnoses failed lifecycle hooks and failing probes. */
import { numberAt, objectAt, textAt } from '../../folds/attribute-values.ts';
import {
  type ContainerFacts,
  type Diagnosis,
  eventsOf,
  factsOf,
  type NextCommand,
  newestEvent,
  type PodFacts,
} from '../pod-facts.ts';
import { textOf } from '../text.ts';

type ProbeName = 'livenessProbe' | 'startupProbe' | 'readinessProbe';

/** Describes a probe in a few words, for example its HTTP path and port. */
function probeInWords(probe: unknown): string {
  const http = objectAt(probe, 'httpGet');
  if (http) return `GET ${textAt(http, 'scheme') ?? 'HTTP'} :${String(http['port'])}${textAt(http, 'path') ?? '/'}`;
  const tcp = objectAt(probe, 'tcpSocket');
  if (tcp) return `TCP :${String(tcp['port'])}`;
  const grpc = objectAt(probe, 'grpc');
  if (grpc) return `gRPC :${String(grpc['port'])}`;
  const command = objectAt(probe, 'exec', 'command');
  return Array.isArray(command) ? command.map(String).join(' ') : '';
}

const logs = (podFacts: PodFacts, { name }: ContainerFacts): NextCommand => ({
  why: textOf('tryLogs'),
  command: podFacts.kubectl(`logs ${podFacts.track.name} -c ${name}`),
});

/**
 * Returns the command that asks the same from inside the container, for a probe or a hook that is a command or HTTP.
 */
function askInside(
  podFacts: PodFacts,
  { name }: ContainerFacts,
  handler: unknown,
  why: 'tryExec' | 'tryHook',
): readonly NextCommand[] {
  const command = objectAt(handler, 'exec', 'command');
  const http = objectAt(handler, 'httpGet');
  const inside = Array.isArray(command)
    ? command.map(String).join(' ')
    : http
      ? `wget -qO- http://127.0.0.1:${String(http['port'])}${textAt(http, 'path') ?? '/'}`
      : undefined;
  return inside === undefined
    ? []
    : [{ why: textOf(why), command: podFacts.kubectl(`exec ${podFacts.track.name} -c ${name} -- ${inside}`) }];
}

/** Returns the newest failure event of that probe. */
const failureOf = ({ track }: PodFacts, { name }: ContainerFacts, title: 'Liveness' | 'Startup' | 'Readiness') =>
  eventsOf(track, 'Unhealthy').findLast(
    (event) => event.container === name && event.message.startsWith(`${title} probe`),
  );

function probeDiagnosis(podFacts: PodFacts, container: ContainerFacts): Diagnosis | undefined {
  const { name, spec, specPath, status, statusPath } = container;
  const isRunning = objectAt(status, 'state', 'running') !== undefined;
  const make = (
    probe: ProbeName,
    title: 'livenessTitle' | 'startupTitle' | 'readinessTitle',
    sentence: Diagnosis['cause'][number],
    said: string | undefined,
  ): Diagnosis => ({
    reason: probe === 'livenessProbe' ? 'LivenessProbe' : probe === 'startupProbe' ? 'StartupProbe' : 'ReadinessProbe',
    severity: said === undefined ? 'waiting' : 'error',
    container: name,
    title: textOf(title, { container: name }),
    cause: [sentence, textOf('probeTells', { what: probeInWords(spec[probe]) })],
    ...(said === undefined ? {} : { said }),
    facts: factsOf(
      [`${specPath}.${probe}`, spec[probe]],
      [`${statusPath}.ready`, status['ready']],
      [`${statusPath}.restartCount`, status['restartCount']],
    ),
    next: [...askInside(podFacts, container, spec[probe], 'tryExec'), logs(podFacts, container)],
  });
  const threshold = (probe: ProbeName): number => numberAt(spec, probe, 'failureThreshold') ?? 3;
  const killedBy = (probe: 'liveness' | 'startup'): boolean =>
    eventsOf(podFacts.track, 'Killing').some(
      ({ container: of, message }) => of === name && message.includes(`failed ${probe} probe`),
    );
  const liveness = failureOf(podFacts, container, 'Liveness');
  const startup = failureOf(podFacts, container, 'Startup');
  const readiness = failureOf(podFacts, container, 'Readiness');
  // A terminated container reports `started: false` even if its startup probe had succeeded.
  const hasEnded = objectAt(status, 'state', 'terminated') !== undefined;
  if (startup && status['started'] !== true && (!hasEnded || killedBy('startup')))
    return make(
      'startupProbe',
      'startupTitle',
      textOf('startup', { threshold: threshold('startupProbe') }),
      startup.message,
    );
  if (liveness && (killedBy('liveness') || !isRunning) && (numberAt(status, 'restartCount') ?? 0) > 0)
    return make(
      'livenessProbe',
      'livenessTitle',
      textOf('liveness', { threshold: threshold('livenessProbe') }),
      liveness.message,
    );
  if (isRunning && status['ready'] === false && objectAt(spec, 'readinessProbe'))
    return make(
      'readinessProbe',
      'readinessTitle',
      textOf(readiness ? 'readiness' : 'notReadyYet'),
      readiness?.message,
    );
  return undefined;
}

/** Returns the error of the newest failed run of a hook; undefined if the run isn't recorded. */
const hookError = (
  { fold }: PodFacts,
  { track }: ContainerFacts,
  kind: 'postStart' | 'preStop',
): string | undefined => {
  const failed = track?.activities.findLast((activity) => activity.kind === kind && activity.outcome === 'error');
  return failed && fold.span(failed.span)?.error?.message;
};

/** Diagnoses a failed hook that causes the container's current state. */
function hookDiagnosis(podFacts: PodFacts, container: ContainerFacts): Diagnosis | undefined {
  const { name, spec, specPath, status } = container;
  const postStart = newestEvent(podFacts, ['FailedPostStartHook'], name);
  const reason = textAt(status, 'state', 'waiting', 'reason') ?? '';
  const isRunning = objectAt(status, 'state', 'running') !== undefined;
  if (postStart && (!isRunning || reason.startsWith('PostStartHookError'))) {
    return {
      reason: 'FailedPostStartHook',
      severity: 'error',
      container: name,
      title: textOf('postStartTitle', { container: name }),
      cause: [textOf('postStart')],
      // The event of v1.36 has no details; the error of the hook has its exit code and output.
      said: hookError(podFacts, container, 'postStart') ?? postStart.message,
      facts: factsOf([`${specPath}.lifecycle.postStart`, objectAt(spec, 'lifecycle', 'postStart')]),
      next: [
        ...askInside(podFacts, container, objectAt(spec, 'lifecycle', 'postStart'), 'tryHook'),
        logs(podFacts, container),
      ],
    };
  }
  const preStop = newestEvent(podFacts, ['FailedPreStopHook'], name);
  if (!preStop || isRunning) return undefined;
  return {
    reason: 'FailedPreStopHook',
    severity: 'info',
    container: name,
    title: textOf('preStopTitle', { container: name }),
    cause: [textOf('preStop')],
    said: hookError(podFacts, container, 'preStop') ?? preStop.message,
    facts: factsOf([`${specPath}.lifecycle.preStop`, objectAt(spec, 'lifecycle', 'preStop')]),
    next: [logs(podFacts, container)],
  };
}

/** Hooks come first, because no probe runs after a failed postStart hook. */
export const careDiagnosis = (podFacts: PodFacts, container: ContainerFacts): Diagnosis | undefined =>
  hookDiagnosis(podFacts, container) ?? probeDiagnosis(podFacts, container);
