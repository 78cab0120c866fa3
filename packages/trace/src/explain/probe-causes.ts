/** Hooks that failed, and probes that do. */
import { numberAt, objectAt, textAt } from '../folds/attribute-values.ts';
import { type ContainerPatient, type Diagnosis, eventsOf, factsOf, type NextCommand, newestEvent, type Patient } from './patient.ts';
import { say } from './text.ts';

type ProbeName = 'livenessProbe' | 'startupProbe' | 'readinessProbe';

/** What a probe asks, in a few words: `GET :8080/healthz`. */
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

const logs = (patient: Patient, { name }: ContainerPatient): NextCommand => ({
  why: say('tryLogs'),
  command: patient.kubectl(`logs ${patient.track.name} -c ${name}`),
});

function askInside(patient: Patient, { name, spec }: ContainerPatient, probe: ProbeName): readonly NextCommand[] {
  const command = objectAt(spec, probe, 'exec', 'command');
  const http = objectAt(spec, probe, 'httpGet');
  const inside = Array.isArray(command)
    ? command.map(String).join(' ')
    : http
      ? `wget -qO- http://127.0.0.1:${String(http['port'])}${textAt(http, 'path') ?? '/'}`
      : undefined;
  return inside === undefined ? [] : [{ why: say('tryExec'), command: patient.kubectl(`exec ${patient.track.name} -c ${name} -- ${inside}`) }];
}

/** The newest failure of that probe that the events tell of. */
const failureOf = ({ track }: Patient, { name }: ContainerPatient, title: 'Liveness' | 'Startup' | 'Readiness') =>
  eventsOf(track, 'Unhealthy').findLast((event) => event.container === name && event.message.startsWith(`${title} probe`));

function probeDiagnosis(patient: Patient, container: ContainerPatient): Diagnosis | undefined {
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
    title: say(title, { container: name }),
    cause: [sentence, say('probeTells', { what: probeInWords(spec[probe]) })],
    ...(said === undefined ? {} : { said }),
    facts: factsOf([`${specPath}.${probe}`, spec[probe]], [`${statusPath}.ready`, status['ready']], [`${statusPath}.restartCount`, status['restartCount']]),
    next: [...askInside(patient, container, probe), logs(patient, container)],
  });
  const threshold = (probe: ProbeName): number => numberAt(spec, probe, 'failureThreshold') ?? 3;
  const killedBy = (probe: 'liveness' | 'startup'): boolean =>
    eventsOf(patient.track, 'Killing').some(({ container: of, message }) => of === name && message.includes(`failed ${probe} probe`));
  const liveness = failureOf(patient, container, 'Liveness');
  const startup = failureOf(patient, container, 'Startup');
  const readiness = failureOf(patient, container, 'Readiness');
  // One that has ended says started: false too, also where the probe had succeeded before.
  const hasEnded = objectAt(status, 'state', 'terminated') !== undefined;
  if (startup && status['started'] !== true && (!hasEnded || killedBy('startup')))
    return make('startupProbe', 'startupTitle', say('startup', { threshold: threshold('startupProbe') }), startup.message);
  if (liveness && (killedBy('liveness') || !isRunning) && (numberAt(status, 'restartCount') ?? 0) > 0)
    return make('livenessProbe', 'livenessTitle', say('liveness', { threshold: threshold('livenessProbe') }), liveness.message);
  if (isRunning && status['ready'] === false && objectAt(spec, 'readinessProbe'))
    return make('readinessProbe', 'readinessTitle', say(readiness ? 'readiness' : 'notReadyYet'), readiness?.message);
  return undefined;
}

/** A hook that failed and is what the container suffers from now. */
function hookDiagnosis(patient: Patient, container: ContainerPatient): Diagnosis | undefined {
  const { name, spec, specPath, status } = container;
  const postStart = newestEvent(patient, ['FailedPostStartHook'], name);
  const reason = textAt(status, 'state', 'waiting', 'reason') ?? '';
  const isRunning = objectAt(status, 'state', 'running') !== undefined;
  if (postStart && (!isRunning || reason.startsWith('PostStartHookError'))) {
    return {
      reason: 'FailedPostStartHook',
      severity: 'error',
      container: name,
      title: say('postStartTitle', { container: name }),
      cause: [say('postStart')],
      said: postStart.message,
      facts: factsOf([`${specPath}.lifecycle.postStart`, objectAt(spec, 'lifecycle', 'postStart')]),
      next: [logs(patient, container)],
    };
  }
  const preStop = newestEvent(patient, ['FailedPreStopHook'], name);
  if (!preStop || isRunning) return undefined;
  return {
    reason: 'FailedPreStopHook',
    severity: 'info',
    container: name,
    title: say('preStopTitle', { container: name }),
    cause: [say('preStop')],
    said: preStop.message,
    facts: factsOf([`${specPath}.lifecycle.preStop`, objectAt(spec, 'lifecycle', 'preStop')]),
    next: [logs(patient, container)],
  };
}

/** Hooks before probes: a hook that fails keeps the probes from being asked. */
export const careDiagnosis = (patient: Patient, container: ContainerPatient): Diagnosis | undefined =>
  hookDiagnosis(patient, container) ?? probeDiagnosis(patient, container);
