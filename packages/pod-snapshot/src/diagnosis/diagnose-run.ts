/** Diagnoses a pod of a run: of this node, of a live cluster, or of a recorded file. */
import { instant, type PodTrack, type RunFold } from '@podscope/trace';
import { type Diagnosis, sandboxChangeDiagnosis, stoppedDiagnosis } from '@podscope/trace/explain';
import { diagnoseSnapshot } from './diagnose.ts';
import type { ClusterFacts } from './pod-case.ts';
import { probeKillsOf } from './probe-kills.ts';
import { backOffsOf, isDeleted, snapshotOf } from './run-snapshot.ts';

/** How long a pod may take to start before the wait is diagnosed, in ms. */
const startAllowance = 30_000;

const isStarting = ({ reason, severity }: Diagnosis): boolean =>
  severity === 'waiting' && (reason === 'ContainerCreating' || reason === 'PodInitializing');

/** Facts that the log of a run doesn't contain. */
interface RunFacts {
  /** The node of a run on this machine. Commands for that node run on this machine. */
  readonly node?: { readonly name: string; readonly runtime: 'docker' | 'crictl' } | undefined;
  /** The last log lines of each container's newest instance (ended or running), by container name. */
  readonly logs?: Readonly<Record<string, string>>;
}

const hooks: Readonly<Record<string, 'postStart' | 'preStop'>> = {
  FailedPostStartHook: 'postStart',
  FailedPreStopHook: 'preStop',
};

/**
 * Returns the error of the newest hook that failed. The error is needed because the event of v1.36 contains neither the
 * exit code nor the output.
 */
function hookError(fold: RunFold, { containers }: PodTrack, { reason, container }: Diagnosis): string | undefined {
  const kind = hooks[reason];
  const own = kind && containers.find(({ name }) => name === container);
  const failed = own?.activities.findLast((activity) => activity.kind === kind && activity.outcome === 'error');
  return failed && fold.span(failed.span)?.error?.message;
}

/** Returns the errors of the newest postStart hooks that failed, by container. A genuine kubelet's calls show them. */
const failedHooksOf = (fold: RunFold, { containers }: PodTrack): Readonly<Record<string, string>> =>
  Object.fromEntries(
    containers.flatMap(({ name, activities }) => {
      const hook = activities.findLast(({ kind }) => kind === 'postStart');
      return hook?.outcome === 'error' ? [[name, fold.span(hook.span)?.error?.message ?? '']] : [];
    }),
  );

/** Returns a diagnosis whose messages don't repeat the log, because the page shows the log next to them. */
function withoutLog(diagnosis: Diagnosis, logs: Readonly<Record<string, string>>): Diagnosis {
  const log = logs[diagnosis.container ?? ''];
  if (!log || diagnosis.said === undefined) return diagnosis;
  const { said, ...rest } = diagnosis;
  const left = said.replace(log.trim(), '').trim();
  return left === '' ? rest : { ...rest, said: left };
}

/**
 * Returns the problems of a pod of a run, the most important first; empty for a healthy or deleted pod.
 * @param now in milliseconds since the Unix epoch
 */
export function diagnosePodOfRun(
  fold: RunFold,
  track: PodTrack,
  now: number,
  { node, logs = {} }: RunFacts = {},
): readonly Diagnosis[] {
  if (isDeleted(track, now)) return [];
  const stopped = stoppedDiagnosis(track);
  const snapshot = snapshotOf(track, instant(now));
  const cluster: ClusterFacts = {
    logs,
    backOffs: backOffsOf(track, now),
    failedHooks: failedHooksOf(fold, track),
    ...(snapshot ? { probeKills: probeKillsOf(fold, track, snapshot.pod, now) } : {}),
    ...(node && snapshot?.pod.spec.nodeName === node.name ? { isThisMachine: true, runtime: node.runtime } : {}),
  };
  const all = snapshot ? diagnoseSnapshot(snapshot, cluster).diagnoses : [];
  const found = (now - track.firstTime < startAllowance ? all.filter((each) => !isStarting(each)) : all).map((each) => {
    const said = hookError(fold, track, each);
    return withoutLog(said === undefined ? each : { ...each, said }, logs);
  });
  const isOfPod = found.some(({ container }) => container === undefined);
  const change = isOfPod ? undefined : sandboxChangeDiagnosis(fold, track, now);
  return [...(stopped ? [stopped] : []), ...found, ...(change ? [change] : [])];
}
