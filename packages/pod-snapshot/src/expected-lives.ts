/**
 * What a simulated container is to do: each instance that there was as its status tells, and those to come as the last one did. Nobody knows
 * the future of a program; that it does again what it did is the best guess there is, and it is said to be one.
 */
import type { Container, Probe } from '@podscope/k8s';
import type { Milliseconds } from '@podscope/trace';
import { knownContainers, type PastEnd, type PastLife, type PastPod } from './past-lives.ts';
import type { PodSnapshot } from './read-snapshots.ts';

/** Nothing starts and ends in the same instant. */
const shortest: Milliseconds = 50;

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Why a process never ran. */
const isStartFailure = ({ reason }: PastEnd): boolean => ['ContainerCannotRun', 'StartError', 'RunContainerError'].includes(reason);

/** The clause of an instance that ends by itself after so long. */
function endClause(end: PastEnd, after: Milliseconds): string {
  if (isStartFailure(end)) return `start-error=${quoted(end.message.replace(/^.*runc create failed: /s, '') || 'cannot be started')} code=${end.exitCode}`;
  const time = `after=${Math.max(shortest, Math.round(after))}ms`;
  return end.reason === 'OOMKilled' ? `oom ${time}` : `exit=${end.exitCode} ${time}`;
}

/** The kubelet itself ended it: what comes next would not end so by itself. */
const wasKilled = ({ events }: PodSnapshot, name: string, { exitCode, reason }: PastEnd): boolean =>
  reason !== 'OOMKilled' &&
  (exitCode === 137 || exitCode === 143) &&
  events.some((event) => event.reason === 'Killing' && (event.container === undefined || event.container === name));

function lifeClauses(snapshot: PodSnapshot, past: PastPod, name: string): readonly string[] {
  const lives = past.lives.filter(({ container }) => container.name === name);
  const newestEnd = lives.findLast((life): life is PastLife & { readonly end: PastEnd } => life.end !== undefined);
  const length = newestEnd ? newestEnd.end.at - newestEnd.startedAt : 0;
  const repeats = newestEnd && !wasKilled(snapshot, name, newestEnd.end) ? endClause(newestEnd.end, length) : undefined;
  const clauses = lives.map(({ attempt, startedAt, end }) => {
    // Those that ended are ended from outside, at the very instant; only what leaves no such choice is scripted.
    if (end && (isStartFailure(end) || end.reason === 'OOMKilled')) return `attempt=${attempt} ${endClause(end, end.at - startedAt)}`;
    const isDue = end === undefined && repeats !== undefined && length > snapshot.observedAt - startedAt;
    return `attempt=${attempt} ${isDue ? repeats : 'run'}`;
  });
  return [...clauses, `attempt=${(lives.at(-1)?.attempt ?? -1) + 1}- ${repeats ?? 'run'}`];
}

type ProbeKind = 'liveness' | 'readiness' | 'startup';
const probeKinds = ['startup', 'liveness', 'readiness'] as const;

const probeOf = (container: Container, kind: ProbeKind): Probe | undefined =>
  ({ liveness: container.livenessProbe, readiness: container.readinessProbe, startup: container.startupProbe })[kind];

function portNumber(container: Container, port: number | string): number | undefined {
  if (typeof port === 'number') return port;
  return container.ports?.find(({ name }) => name === port)?.containerPort ?? (/^\d+$/.test(port) ? Number(port) : undefined);
}

/** What answers a probe: a command, or a port. Two probes with the same get the same answer. */
function answererOf(container: Container, probe: Probe): string | undefined {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return `exec=${quoted((exec.command ?? []).join(' '))}`;
  const port = portNumber(container, httpGet?.port ?? tcpSocket?.port ?? grpc?.port ?? '');
  if (port === undefined) return undefined;
  return `listen=${port}${httpGet ? '' : ' tcp'}`;
}

/** Which probes of a container failed when it was looked at. */
function failingProbes({ pod, events }: PodSnapshot, name: string): ReadonlySet<ProbeKind> {
  const status = knownContainers(pod).find(({ container }) => container.name === name)?.status;
  const failing = new Set<ProbeKind>();
  const said = (word: string): boolean =>
    events.some(
      ({ reason, message, container }) => reason === 'Unhealthy' && message.startsWith(`${word} probe`) && (container === undefined || container === name),
    );
  if (said('Liveness')) failing.add('liveness');
  if (said('Startup') && status?.started !== true) failing.add('startup');
  if (status?.state?.running && status.started !== false && !status.ready) failing.add('readiness');
  return failing;
}

function probeClauses(snapshot: PodSnapshot, container: Container): readonly string[] {
  const failing = failingProbes(snapshot, container.name);
  const answers = new Map<string, boolean>();
  for (const kind of probeKinds) {
    const probe = probeOf(container, kind);
    const answerer = probe && answererOf(container, probe);
    // Where one answer serves two probes, that it answers well is nearer to the truth than that all of them fail.
    if (answerer !== undefined) answers.set(answerer, answers.get(answerer) === true || !failing.has(kind));
  }
  return [...answers].flatMap(([answerer, isWell]) => {
    if (answerer.startsWith('exec=')) return [`${answerer} exit=${isWell ? 0 : 1}`];
    if (answerer.endsWith(' tcp')) return isWell ? [answerer] : [];
    return [`${answerer} status=${isWell ? 200 : 500}`];
  });
}

/** The simulator's script of each container of the pod, by `namespace/pod/container`. */
export function expectedLives(snapshot: PodSnapshot, past: PastPod): Readonly<Record<string, string>> {
  const { metadata, spec } = snapshot.pod;
  const all = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  return Object.fromEntries(
    all.map((container) => [
      `${metadata.namespace ?? 'default'}/${metadata.name}/${container.name}`,
      [...lifeClauses(snapshot, past, container.name), ...probeClauses(snapshot, container)].join('\n'),
    ]),
  );
}
