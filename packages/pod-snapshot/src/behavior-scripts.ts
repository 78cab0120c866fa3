/**
 * Derives the scripts of simulated containers from a snapshot. Past instances behave as the status records. Future
 * instances are assumed to repeat the last one; this is a guess, and the page marks it as a guess.
 */
import type { Container, Probe } from '@podscope/k8s';
import type { Milliseconds } from '@podscope/trace';
import { deadlineOf, killOf, type PastKill, pastKillOf } from './kills.ts';
import { isStartFailure, type PastEnd, type PastInstance, type PastPod } from './past-instances.ts';
import { failingProbes, hasFailedNow, healthyTime, probeKinds, probeOf } from './past-probes.ts';
import type { PodSnapshot } from './pod-snapshot.ts';

/** The shortest duration of an instance, in ms. */
const shortest: Milliseconds = 50;

/** The time in ms after which an exit is visible: a status can show an instance as running that has just ended. */
const relist: Milliseconds = 1_000;

const quoted = (text: string): string =>
  `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;

/** Returns the exit code, limited to 0 to 255. On Windows, exit codes can be larger. */
const codeOf = ({ exitCode }: PastEnd): number => Math.min(255, Math.max(0, exitCode));

/** Returns the clause for an instance that exits by itself after `after` milliseconds. */
function endClause(end: PastEnd, after: Milliseconds): string {
  if (isStartFailure(end.reason))
    return (
      `start-error=${quoted(end.message.replace(/^.*runc create failed: /s, '') || 'cannot be started')} ` +
      `code=${codeOf(end)}${end.reason === 'StartError' ? ' reason=StartError' : ''}`
    );
  const time = `after=${Math.max(shortest, Math.round(after))}ms`;
  if (end.reason !== 'OOMKilled') return `exit=${codeOf(end)} ${time}`;
  return end.exitCode === 137 ? `oom ${time}` : `oom ${time} code=${codeOf(end)}`;
}

/** Returns the clause for the reaction to the stop signal, which is assumed to be the same as at the last kill. */
function stopClause({ attempt, end }: EndedInstance, kill: PastKill): string {
  const reaction =
    end.exitCode === 137 ? 'ignore-sigterm' : `sigterm=${codeOf(end)} after=${Math.max(0, end.at - kill.at)}ms`;
  return `attempt=${attempt + 1}- ${reaction}`;
}

type EndedInstance = PastInstance & { readonly end: PastEnd };

/** An instance that is still running this many ms after its kill is assumed to ignore the stop signal. */
const stopAllowance: Milliseconds = 2_000;

/** Returns the clauses of a running instance that the kubelet is killing and that hasn't reacted to the stop signal. */
function dyingClauses(snapshot: PodSnapshot, instance: PastInstance): readonly string[] | undefined {
  const kill = instance.end ? undefined : killOf(snapshot, instance);
  if (!kill || snapshot.observedAt - kill.last < stopAllowance) return undefined;
  const end = Math.max(deadlineOf(snapshot, instance, kill), snapshot.observedAt + shortest);
  const after = end - instance.startedAt;
  return [`attempt=${instance.attempt} exit=137 after=${after}ms`, `attempt=${instance.attempt} ignore-sigterm`];
}

function instanceClauses(snapshot: PodSnapshot, past: PastPod, name: string): readonly string[] {
  const instances = past.instances.filter(({ container }) => container.name === name);
  const newest = instances.findLast((instance): instance is EndedInstance => instance.end !== undefined);
  const kill = newest && pastKillOf(snapshot, newest);
  const length = newest ? newest.end.at - newest.startedAt : 0;
  // An instance that the kubelet killed didn't exit by itself, so it has no exit clause.
  const repeats = newest && !kill ? endClause(newest.end, length) : undefined;
  const clauses = instances.flatMap((instance) => {
    const { attempt, startedAt, end } = instance;
    // The replay triggers exits at the exact time. Only start failures and OOM kills need a script.
    if (end && (isStartFailure(end.reason) || end.reason === 'OOMKilled'))
      return `attempt=${attempt} ${endClause(end, end.at - startedAt)}`;
    const dying = dyingClauses(snapshot, instance);
    if (dying) return dying;
    const isDue =
      end === undefined && repeats !== undefined && Math.max(length, relist) > snapshot.observedAt - startedAt;
    return `attempt=${attempt} ${isDue ? repeats : 'run'}`;
  });
  const reaction = newest && kill ? [stopClause(newest, kill)] : [];
  return [...reaction, ...clauses, `attempt=${(instances.at(-1)?.attempt ?? -1) + 1}- ${repeats ?? 'run'}`];
}

function portNumber(container: Container, port: number | string): number | undefined {
  if (typeof port === 'number') return port;
  return (
    container.ports?.find(({ name }) => name === port)?.containerPort ?? (/^\d+$/.test(port) ? Number(port) : undefined)
  );
}

/**
 * Returns the beginning of the clause that answers a probe: a command or a port. Probes with the same beginning get the
 * same answer.
 */
function probeTargetOf(container: Container, probe: Probe): string | undefined {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (exec) return `exec=${quoted((exec.command ?? []).join(' '))}`;
  const port = portNumber(container, httpGet?.port ?? tcpSocket?.port ?? grpc?.port ?? '');
  if (port === undefined) return undefined;
  if (grpc) return `listen=${port} grpc${grpc.service ? ` service=${quoted(grpc.service)}` : ''}`;
  return `listen=${port}${httpGet ? '' : ' tcp'}`;
}

const isGrpc = (target: string): boolean => /^listen=\d+ grpc/.test(target);

/** Returns whether gRPC probes failed to connect. If so, no server may listen on their port. */
const isUnreachable = ({ events }: PodSnapshot, target: string): boolean =>
  isGrpc(target) &&
  events.some(
    ({ reason, message }) =>
      reason === 'Unhealthy' &&
      message.includes('failed to connect service') &&
      message.includes(`:${/\d+/.exec(target)?.[0]}"`),
  );

/** Returns the clauses of a probe target that fails from `from` ms after the start of the instance. */
function failingClauses(target: string, attempts: string, from: Milliseconds): readonly string[] {
  const [until, after] = [`until=${Math.round(from)}ms`, `after=${Math.round(from)}ms`];
  if (target.startsWith('exec='))
    return [...(from > 0 ? [`${attempts}${target} exit=0 ${until}`] : []), `${attempts}${target} exit=1 ${after}`];
  if (target.endsWith(' tcp')) return [];
  if (isGrpc(target)) return [`${attempts}${target} ${from > 0 ? until : 'status=NOT_SERVING'}`];
  return [from > 0 ? `${attempts}${target} status=200 ${until}` : `${attempts}${target} status=500`];
}

interface Answer {
  readonly isHealthy: boolean;
  /** When the failures begin, in ms after the start of the instance: for the running instance, and for later ones. */
  readonly now: Milliseconds;
  readonly later: Milliseconds;
}

function probeClauses(snapshot: PodSnapshot, past: PastPod, container: Container): readonly string[] {
  const failing = failingProbes(snapshot, container.name);
  const answers = new Map<string, Answer>();
  for (const kind of probeKinds) {
    const probe = probeOf(container, kind);
    const target = probe && probeTargetOf(container, probe);
    if (target === undefined) continue;
    const later = kind === 'readiness' ? 0 : healthyTime(snapshot, past, container, kind);
    const now = hasFailedNow(snapshot, past, container.name, kind) ? 0 : later;
    // If two probes share a target and one of them succeeds, the target is healthy.
    answers.set(target, { isHealthy: answers.get(target)?.isHealthy === true || !failing.has(kind), now, later });
  }
  const next = (past.instances.findLast((instance) => instance.container.name === container.name)?.attempt ?? -1) + 1;
  return [...answers].flatMap(([target, { isHealthy, now, later }]) => {
    if (!isHealthy && now === 0 && isUnreachable(snapshot, target)) return [];
    if (!isHealthy)
      return [
        ...failingClauses(target, `attempt=0-${Math.max(0, next - 1)} `, now),
        ...failingClauses(target, `attempt=${next}- `, later),
      ];
    if (target.startsWith('exec=')) return [`${target} exit=0`];
    return [target.endsWith(' tcp') || isGrpc(target) ? target : `${target} status=200`];
  });
}

/** Returns the simulator's script of each container by `namespace/pod/container`. */
export function behaviorScripts(snapshot: PodSnapshot, past: PastPod): Readonly<Record<string, string>> {
  const { metadata, spec } = snapshot.pod;
  const all = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  return Object.fromEntries(
    all.map((container) => [
      `${metadata.namespace ?? 'default'}/${metadata.name}/${container.name}`,
      [...instanceClauses(snapshot, past, container.name), ...probeClauses(snapshot, past, container)].join('\n'),
    ]),
  );
}
