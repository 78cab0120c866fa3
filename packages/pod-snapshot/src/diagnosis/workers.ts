/**
 * Diagnoses a container that runs although processes in it are killed: the main process of a server (gunicorn, uWSGI,
 * Celery, PHP-FPM, PostgreSQL) starts new workers, so the kubelet sees no exit. Uses the log and the events of the last
 * hour. Upstream: the kernel's OOM killer; cgroup v2 without memory.oom.group (kubelet singleProcessOOMKill, v1.32).
 */
import { type ExplainText, type NextCommand, textOf } from '@podscope/trace/explain';
import type { SnapshotEvent } from '../pod-snapshot.ts';
import { bytesOf, memoryLimit, more, setLimit } from './memory-limit.ts';
import {
  type ContainerCase,
  type ContainerMatcher,
  eventFact,
  type Finding,
  factsOf,
  type PodCase,
} from './pod-case.ts';

/** Matches a line in which a main process reports that one of its processes was killed by SIGKILL. */
const killed =
  /\b(?:worker|child|process|server|pool|job|task|thread|fork|pid)\w*\b[^\n]{0,120}(?:\bSIGKILL\b|\bsignal:? (?:\()?9\b|signal: killed|signal Killed|\bKilled \(9\)|exit(?:ed|code)?(?: with)?(?: (?:status|code))?[: =]*(?:137|-9)\b)|Perhaps out of memory|out of memory: killed process|memory cgroup out of memory|BrokenProcessPool|WorkerLostError|terminated abruptly|Killed process \d+/i;

/** The words with which the kubelet or a shell stops a process on purpose. */
const onPurpose = /shutting down|graceful|stopping|timeout of \d+|exceeded (?:the )?(?:time|timeout)|WORKER TIMEOUT/i;

/** The settings with the number of processes of a server. */
const counts: readonly RegExp[] = [
  /^(?:--workers|-w|--processes|-p|--concurrency|-c|--prefork|--instances|-i|-j|--jobs|--parallelism)$/,
  /^(?:WEB_CONCURRENCY|GUNICORN_WORKERS|UWSGI_(?:PROCESSES|WORKERS)|CELERYD_CONCURRENCY|\w*_?(?:WORKERS|PROCESSES|CONCURRENCY))$/,
];

/** Returns the setting with the number of processes; undefined without one. */
export function workerCount({ spec }: ContainerCase): { readonly place: string; readonly workers: string } | undefined {
  const words = [...(spec.command ?? []), ...(spec.args ?? [])].flatMap((word) => word.split(/\s+/));
  for (const [index, word] of words.entries()) {
    const [name = '', value = words[index + 1] ?? ''] = word.split('=');
    if (counts[0]?.test(name) === true && /^\d+$/.test(value) && Number(value) > 1)
      return { place: `${name} ${value}`, workers: value };
  }
  const all = (spec.env ?? []).flatMap(({ name, value = '' }) => [
    { name, value },
    // Variables such as GUNICORN_CMD_ARGS contain options.
    ...[...value.matchAll(/(--?\w+)[= ](\d+)/g)].map(([, option = '', number = '']) => ({
      name: option,
      value: number,
    })),
  ]);
  const found = all.find(
    ({ name, value }) => counts.some((pattern) => pattern.test(name)) && /^\d+$/.test(value) && Number(value) > 1,
  );
  return found && { place: `${found.name}=${found.value}`, workers: found.value };
}

/** Returns the newest event about a failed probe of a running container. */
const unhealthy = ({ events, runningSince }: ContainerCase): SnapshotEvent | undefined =>
  events.findLast(({ reason, last }) => reason === 'Unhealthy' && runningSince !== undefined && last > runningSince);

/** Returns the commands that raise the memory limit of a container by half; empty without a limit of its own. */
function raise(it: PodCase, container: ContainerCase, limit: string): readonly NextCommand[] {
  const bytes = bytesOf(limit);
  if (bytes === undefined || container.spec.resources?.limits?.['memory'] === undefined) return [];
  return setLimit(it, container, 'oomRaiseFirst', more(bytes), { limit });
}

/** Diagnoses killed processes in a container that continues to run. */
export const workerFinding: ContainerMatcher = (it, container): Finding | undefined => {
  const { name, runningSince, status, specPath } = container;
  if (runningSince === undefined || it.pod.metadata.deletionTimestamp !== undefined) return undefined;
  const lines = (it.cluster.logs?.[name] ?? '')
    .split('\n')
    .filter((line) => killed.test(line) && !onPurpose.test(line));
  const last = lines.at(-1);
  // A main process may report one kill in several lines, and only one of them with the process id.
  const ends = lines.filter((line) => /\bpid\b|\b(?:process|worker|child)\W{1,3}\d+/i.test(line));
  const times = ends.length > 0 ? ends.length : lines.length;
  const failed = unhealthy(container);
  // One kill of a container that works is an accident.
  if (last === undefined || (times < 2 && status?.ready === true && failed === undefined)) return undefined;
  const limit = memoryLimit(it, container);
  const count = workerCount(container);
  const kind = /^(\w+) probe/.exec(failed?.message ?? '')?.[1]?.toLowerCase() ?? 'readiness';
  const values = {
    container: name,
    count: times,
    limit: limit?.text ?? '',
    node: it.node,
    place: count?.place ?? '',
    workers: count?.workers ?? '',
    kind,
    failures: failed?.count ?? 0,
  };
  const memory: ExplainText =
    limit === undefined
      ? textOf('workersNode', values)
      : textOf(count === undefined ? 'workersLimit' : 'workersLimitCount', values);
  return {
    reason: 'OOMKilling',
    severity: 'error',
    origin: limit === undefined ? 'node' : 'program',
    certainty: 'likely',
    container: name,
    title: textOf('workersTitle', values),
    cause: [textOf('workers', values), memory, ...(failed ? [textOf('workersProbe', values)] : [])],
    said: lines.slice(-5).join('\n'),
    facts: [
      ...factsOf(
        [`log of ${name} (${times} times)`, (ends.at(-1) ?? last).trim()],
        [limit?.path ?? `${specPath}.resources`, limit?.text ?? container.spec.resources ?? {}],
      ),
      ...eventFact(failed),
    ],
    outlook: [textOf('workersOutlook', values)],
    next: [
      ...(limit === undefined
        ? [
            { why: textOf('oomTopNode', values), command: `kubectl top node ${it.node}` },
            ...it.change('oomSet', values),
          ]
        : raise(it, container, limit.text)),
      ...it.change(count === undefined ? 'workersFewerAny' : 'workersFewer', values),
      { why: textOf('oomTop', values), command: it.kubectl(`top pod ${it.name} --containers`) },
    ],
  };
};
