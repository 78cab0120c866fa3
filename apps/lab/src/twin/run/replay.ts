/** Runs a recording's pod on this machine and returns the observations. */
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorMessage } from '@podscope/base';
import type { DockerEngine } from '@podscope/dockershim/testing/docker-engine';
import { haveLasted, lastingStatus, type StatusAt } from '../compare/statuses.ts';
import {
  type EngineEvent,
  isCrashLoop,
  type KubeletEvent,
  lastAction,
  nodeNameOf,
  type PodStatusSeen,
  profileOf,
  type RecordedAction,
  type Recording,
  removedAt,
  statusSchema,
} from '../recording.ts';
import { perform } from './actions.ts';
import { configOperation } from './config-operation.ts';
import { EngineTrace } from './engine-trace.ts';
import type { ReplayObservations } from './replay-observations.ts';
import { TwinNode } from './twin-node.ts';

/** Time in ms for the loops of a new kubelet to settle, because a kubelet that has just started is busier. */
const warmUp = 2500;
/** Interval in ms at which statuses are polled. */
const pollInterval = 100;
/** Additional time in ms that the exits of containers may take compared with the recording. */
const endAllowance = 30_000;
/**
 * If a container starts less than this time before an action in the recording, it may also start after the action here.
 * In milliseconds.
 */
const beforeAction = 500;
/** Time limit in ms for a pod to reach the state in which an action is performed. */
const reachAllowance = 60_000;
/** Time limit in ms for a pod in a crash loop to reach the state in which an action is performed: one sync interval. */
const loopAllowance = 17_000;
/** Time in ms that a late pod continues to run before the action. */
const lateAllowance = 4000;
/** Time in ms to wait after the last exit, while housekeeping removes directories and cgroups. */
const settleTime = 5000;

type Delay = (ms: number) => Promise<void>;

/**
 * Replays a recording.
 * @throws Error if the node can't be created, or the signal's reason; everything created is removed in any case
 */
export async function replay(
  recording: Recording,
  engine: DockerEngine,
  signal: AbortSignal = new AbortController().signal,
): Promise<ReplayObservations> {
  const delay: Delay = (ms) => setTimeout(ms, undefined, { signal });
  let start = Number.NaN;
  const now = (): number => Math.round(performance.now() - start);
  const events: KubeletEvent[] = [];
  const operations: string[] = [];
  const uids: string[] = [];
  let over = false;
  const node = await TwinNode.create(nodeNameOf(recording), profileOf(recording), {
    now,
    onEvent: (event) => {
      if (!over) events.push(event);
    },
    onTrace: (event) => {
      const operation = configOperation(event);
      if (operation !== undefined && !over) operations.push(operation);
    },
  });
  const watching = new AbortController();
  const trace = new EngineTrace(engine, now, () => uids);
  const statuses: { t: number; uid: string; status: PodStatusSeen | undefined }[] = [];
  const trouble: string[] = [];
  let podDir: ReplayObservations['podDir'] = [];
  let poll: NodeJS.Timeout | undefined;
  try {
    await engine.watch([], (event) => trace.take(event), watching.signal);
    await node.start();
    await delay(warmUp);
    start = performance.now();
    poll = setInterval(() => pollStatuses(node, uids, now(), statuses), pollInterval);
    const parts = {
      recording,
      node,
      engine,
      trace,
      onPod: (uid: string) => (uids.includes(uid) ? undefined : void uids.push(uid)),
    };
    for (const action of recording.actions.toSorted((a, b) => a.t - b.t)) {
      await delay(Math.max(0, action.t - now()));
      await untilReached(recording, action, trace, now, delay);
      await untilShown(recording, action, uids, statuses, now, delay);
      if (action.t === removedAt(recording)) podDir = await listPodDir(node.rootDir, uids.at(-1));
      await perform(parts, action).catch((error: unknown) => trouble.push(errorMessage(error)));
    }
    await untilTheEnd(recording, trace, now, delay);
    over = true;
    const podIPs = [...trace.podIPs];
    await Promise.all([...trace.creates.values()].flat().map(({ inspection }) => inspection));
    return {
      uids,
      statuses,
      events,
      operations,
      trace,
      rootDir: node.rootDir,
      keepsCgroups: node.keepsCgroups,
      podDir,
      podIPs,
      trouble,
    };
  } finally {
    over = true;
    clearInterval(poll);
    watching.abort();
    await node.close();
  }
}

/**
 * Waits until the pod is in the state in which the action was recorded. If containers start later on this machine, the
 * action waits for them. A crash loop gets the time of one more sync, because the times of its syncs are random.
 */
async function untilReached(
  recording: Recording,
  action: RecordedAction,
  trace: EngineTrace,
  now: () => number,
  delay: Delay,
): Promise<void> {
  const key = ({ container, attempt }: EngineEvent): string => `${container}#${attempt}`;
  const started = (events: readonly EngineEvent[]): readonly string[] =>
    events.filter((event) => event.action === 'start').map(key);
  const wanted = started(recording.engineEvents.filter(({ t }) => t < action.t - beforeAction));
  const deadline = Math.max(now(), action.t) + (isCrashLoop(recording) ? loopAllowance : reachAllowance);
  const behind = (): boolean => {
    const seen = new Set(started(trace.events));
    return wanted.some((name) => !seen.has(name));
  };
  if (!behind()) return;
  while (behind() && now() < deadline) await delay(pollInterval);
  // Wait longer, because the PLEG and the status also observe a late start later.
  await delay(lateAllowance);
}

/**
 * If a status had lasted before the action in the recording, waits until it has also lasted here. Crash loops are
 * excluded, because their statuses depend on the syncs.
 */
async function untilShown(
  recording: Recording,
  action: RecordedAction,
  uids: readonly string[],
  seen: ReplayObservations['statuses'],
  now: () => number,
  delay: Delay,
): Promise<void> {
  const uid = recording.pod.uids[uids.length - 1];
  const wanted = lastingStatus(
    recording.statuses.filter((status) => recording.pod.uids.length === 1 || status.uid === uid).map(asSeen),
    action.t,
  );
  if (wanted === undefined || isCrashLoop(recording)) return;
  const deadline = now() + reachAllowance;
  const own = (): ReplayObservations['statuses'] => seen.filter((status) => status.uid === uids.at(-1));
  while (!haveLasted(own(), now()).has(wanted) && now() < deadline) await delay(pollInterval);
}

const asSeen = (status: Recording['statuses'][number]): StatusAt => ({
  t: status.t,
  status: status.gone ? undefined : status,
});

/** Polls the distinct statuses of the pods that `/pods` lists, like the recorder. */
function pollStatuses(
  node: TwinNode,
  uids: readonly string[],
  t: number,
  statuses: { t: number; uid: string; status: PodStatusSeen | undefined }[],
): void {
  for (const uid of node.isRunning ? uids : []) {
    const last = statuses.findLast((seen) => seen.uid === uid);
    const listed = node.listed(uid);
    if (!listed && !last) continue;
    const status = listed && statusSchema.parse(JSON.parse(JSON.stringify(listed)));
    if (!last || JSON.stringify(last.status) !== JSON.stringify(status)) statuses.push({ t, uid, status });
  }
}

/**
 * If the manifest is removed, waits until all containers have exited, with a time limit. Otherwise waits for the
 * duration of the recording.
 */
async function untilTheEnd(recording: Recording, trace: EngineTrace, now: () => number, delay: Delay): Promise<void> {
  // If an action was performed later than recorded, the end is later, too.
  const late = Math.max(0, now() - lastAction(recording));
  const recordedEnd =
    late +
    Math.max(
      lastAction(recording),
      ...recording.engineEvents.filter(({ action }) => action === 'die').map(({ t }) => t),
    );
  if (removedAt(recording) === undefined) {
    await delay(Math.max(0, recordedEnd + settleTime - now()));
    return;
  }
  while (now() < recordedEnd + endAllowance) {
    const count = (action: string): number => trace.events.filter((event) => event.action === action).length;
    if (count('start') <= count('die')) break;
    await delay(pollInterval);
  }
  await delay(settleTime);
}

/** Returns the entries of the pod's directory in the form of the recording's `layout.podDir`. */
async function listPodDir(rootDir: string, uid: string | undefined): Promise<ReplayObservations['podDir']> {
  if (uid === undefined) return [];
  const root = join(rootDir, 'pods', uid);
  const paths = await readdir(root, { recursive: true }).catch(() => []);
  return Promise.all(
    paths
      .toSorted((a, b) => (a < b ? -1 : 1))
      .map(async (name) => {
        const path = join(root, name);
        const facts = await lstat(path).catch(() => undefined);
        const type = facts?.isDirectory() ? 'dir' : facts?.isSymbolicLink() ? 'link' : 'file';
        return { path, type, mode: facts ? (facts.mode & 0o777).toString(8) : '' };
      }),
  );
}
