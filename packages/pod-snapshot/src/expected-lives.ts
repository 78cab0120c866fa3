/**
 * What a simulated container is to do: each instance that there was as its status tells, and those to come as the last one did. Nobody knows
 * the future of a program; that it does again what it did is the best guess there is, and it is said to be one.
 */
import type { Container, Probe } from '@podscope/k8s';
import type { Milliseconds } from '@podscope/trace';
import { deadlineOf, killOf, type PastKill, pastKillOf } from './kills.ts';
import { isStartFailure, type PastEnd, type PastLife, type PastPod } from './past-lives.ts';
import { failingProbes, hasFailedNow, probeKinds, probeOf, wellFor } from './past-probes.ts';
import type { PodSnapshot } from './read-snapshots.ts';

/** Nothing starts and ends in the same instant. */
const shortest: Milliseconds = 50;

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Other systems than Linux have wider exit codes: they fail here too. */
const codeOf = ({ exitCode }: PastEnd): number => Math.min(255, Math.max(0, exitCode));

/** The clause of an instance that ends by itself after so long. */
function endClause(end: PastEnd, after: Milliseconds): string {
  if (isStartFailure(end.reason))
    return `start-error=${quoted(end.message.replace(/^.*runc create failed: /s, '') || 'cannot be started')} code=${codeOf(end)}`;
  const time = `after=${Math.max(shortest, Math.round(after))}ms`;
  return end.reason === 'OOMKilled' ? `oom ${time}` : `exit=${codeOf(end)} ${time}`;
}

/** How it takes the stop signal, from how it took the last one. */
function stopClause({ attempt, end }: EndedLife, kill: PastKill): string {
  const reaction = end.exitCode === 137 ? 'ignore-sigterm' : `sigterm=${codeOf(end)} after=${Math.max(0, end.at - kill.at)}ms`;
  return `attempt=${attempt + 1}- ${reaction}`;
}

type EndedLife = PastLife & { readonly end: PastEnd };

/** Being killed takes longer than its program could have needed to end. */
const patience: Milliseconds = 2_000;

/** What an instance does that runs and that the kubelet is killing: the signal has come, and it runs still. */
function dyingClauses(snapshot: PodSnapshot, life: PastLife): readonly string[] | undefined {
  const kill = life.end ? undefined : killOf(snapshot, life);
  if (!kill || snapshot.observedAt - kill.last < patience) return undefined;
  const end = Math.max(deadlineOf(snapshot, life, kill), snapshot.observedAt + shortest);
  const after = end - life.startedAt;
  return [`attempt=${life.attempt} exit=137 after=${after}ms`, `attempt=${life.attempt} ignore-sigterm`];
}

function lifeClauses(snapshot: PodSnapshot, past: PastPod, name: string): readonly string[] {
  const lives = past.lives.filter(({ container }) => container.name === name);
  const newest = lives.findLast((life): life is EndedLife => life.end !== undefined);
  const kill = newest && pastKillOf(snapshot, newest);
  const length = newest ? newest.end.at - newest.startedAt : 0;
  // What the kubelet itself ended would not end so by itself.
  const repeats = newest && !kill ? endClause(newest.end, length) : undefined;
  const clauses = lives.flatMap((life) => {
    const { attempt, startedAt, end } = life;
    // Those that ended are ended from outside, at the very instant; only what leaves no such choice is scripted.
    if (end && (isStartFailure(end.reason) || end.reason === 'OOMKilled')) return `attempt=${attempt} ${endClause(end, end.at - startedAt)}`;
    const dying = dyingClauses(snapshot, life);
    if (dying) return dying;
    const isDue = end === undefined && repeats !== undefined && length > snapshot.observedAt - startedAt;
    return `attempt=${attempt} ${isDue ? repeats : 'run'}`;
  });
  const reaction = newest && kill ? [stopClause(newest, kill)] : [];
  return [...reaction, ...clauses, `attempt=${(lives.at(-1)?.attempt ?? -1) + 1}- ${repeats ?? 'run'}`];
}

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
  if (grpc) return `listen=${port} grpc${grpc.service ? ` service=${quoted(grpc.service)}` : ''}`;
  return `listen=${port}${httpGet ? '' : ' tcp'}`;
}

const isGrpc = (answerer: string): boolean => /^listen=\d+ grpc/.test(answerer);

/** No connection came about when gRPC's health service was asked: it is not there to say that it is not well. */
const isOutOfReach = ({ events }: PodSnapshot, answerer: string): boolean =>
  isGrpc(answerer) &&
  events.some(
    ({ reason, message }) => reason === 'Unhealthy' && message.includes('failed to connect service') && message.includes(`:${/\d+/.exec(answerer)?.[0]}"`),
  );

/** What answers a probe that fails, from so long after the start on. */
function failingClauses(answerer: string, attempts: string, from: Milliseconds): readonly string[] {
  const [well, ill] = [`until=${Math.round(from)}ms`, `after=${Math.round(from)}ms`];
  if (answerer.startsWith('exec=')) return [...(from > 0 ? [`${attempts}${answerer} exit=0 ${well}`] : []), `${attempts}${answerer} exit=1 ${ill}`];
  if (answerer.endsWith(' tcp')) return [];
  if (isGrpc(answerer)) return [`${attempts}${answerer} ${from > 0 ? well : 'status=NOT_SERVING'}`];
  return [from > 0 ? `${attempts}${answerer} status=200 ${well}` : `${attempts}${answerer} status=500`];
}

interface Answer {
  readonly isWell: boolean;
  /** Since when it fails: in the instance that there is, in those that come. */
  readonly now: Milliseconds;
  readonly later: Milliseconds;
}

function probeClauses(snapshot: PodSnapshot, past: PastPod, container: Container): readonly string[] {
  const failing = failingProbes(snapshot, container.name);
  const answers = new Map<string, Answer>();
  for (const kind of probeKinds) {
    const probe = probeOf(container, kind);
    const answerer = probe && answererOf(container, probe);
    if (answerer === undefined) continue;
    const later = kind === 'readiness' ? 0 : wellFor(snapshot, past, container, kind);
    const now = hasFailedNow(snapshot, past, container.name, kind) ? 0 : later;
    // Where one answer serves two probes, that it answers well is nearer to the truth than that all of them fail.
    answers.set(answerer, { isWell: answers.get(answerer)?.isWell === true || !failing.has(kind), now, later });
  }
  const next = (past.lives.findLast((life) => life.container.name === container.name)?.attempt ?? -1) + 1;
  return [...answers].flatMap(([answerer, { isWell, now, later }]) => {
    if (!isWell && now === 0 && isOutOfReach(snapshot, answerer)) return [];
    if (!isWell) return [...failingClauses(answerer, `attempt=0-${Math.max(0, next - 1)} `, now), ...failingClauses(answerer, `attempt=${next}- `, later)];
    if (answerer.startsWith('exec=')) return [`${answerer} exit=0`];
    return [answerer.endsWith(' tcp') || isGrpc(answerer) ? answerer : `${answerer} status=200`];
  });
}

/** The simulator's script of each container of the pod, by `namespace/pod/container`. */
export function expectedLives(snapshot: PodSnapshot, past: PastPod): Readonly<Record<string, string>> {
  const { metadata, spec } = snapshot.pod;
  const all = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  return Object.fromEntries(
    all.map((container) => [
      `${metadata.namespace ?? 'default'}/${metadata.name}/${container.name}`,
      [...lifeClauses(snapshot, past, container.name), ...probeClauses(snapshot, past, container)].join('\n'),
    ]),
  );
}
