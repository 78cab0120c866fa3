/** Compares the forecast of a pod with what a kubelet then did. */
import type { Forecast } from '../forecast.ts';
import { knownContainers } from '../past-instances.ts';
import type { PodSnapshot } from '../pod-snapshot.ts';

/**
 * The actions of a kubelet as an observer sees them. Their times are in seconds from the observation; those of earlier
 * actions are negative.
 */
export interface Fact {
  readonly after: number;
  /**
   * The kinds of actions: a container was created for a start, received its stop signal, ended, or could not be
   * started; an image was requested; the pod was removed.
   */
  readonly kind: 'attempt' | 'kill' | 'end' | 'failure' | 'pull' | 'gone';
  readonly container: string;
  readonly attempt?: number;
}

/** The release of the kubelet. */
type Profile = 'v1.36' | 'v1.20';

export interface Facts {
  readonly facts: readonly Fact[];
  /** The length of the observation in seconds. The observation ends when a user changes the pod. */
  readonly until: number;
}

/**
 * Longest expected time from a failure to the next sync, in seconds. A kubelet syncs the pod again after 10 to 15
 * seconds, on a tick of one second. The container engine needs some time, too.
 */
const rhythm = 17;
/**
 * Returns the longest expected time until the next sync after a wait, in seconds. Since v1.34, this sync comes when the
 * wait has ended or up to half of the wait later, but at most after 90 seconds.
 */
const rhythmAfter = (wait: number, profile: Profile): number =>
  profile === 'v1.20' ? rhythm : Math.max(rhythm, Math.min(wait / 2, 90) + 5);
/** The tolerance for times in statuses, which are whole seconds. */
const grain = 1.5;
/**
 * The longest time in seconds until a start without a wait. The sync that observed the exit or killed the container
 * makes that start.
 */
const atOnce = 3;
/** How many seconds later than the runtime a status may change. */
const lag = 3;

function foretold({ entries, observedAt }: Forecast): readonly Fact[] {
  const tried = new Set<string>();
  return entries.flatMap((entry): Fact[] => {
    const after = (entry.at - observedAt) / 1_000;
    switch (entry.kind) {
      case 'start':
        tried.add(entry.container);
        return [{ after, kind: 'attempt', container: entry.container, attempt: entry.attempt }];
      case 'exit':
        // If a container could not be started, that counts as an attempt.
        if (/ContainerCannotRun|StartError/.test(entry.reason))
          return [{ after, kind: 'attempt', container: entry.container }];
        return [{ after, kind: 'end', container: entry.container }];
      case 'event': {
        const container = /^(?:Stopping container|Container) (\S+)/.exec(entry.message)?.[1] ?? '';
        if (entry.reason === 'Killing') return [{ after, kind: 'kill', container }];
        return entry.reason === 'Pulling' ? [{ after, kind: 'pull', container }] : [];
      }
      case 'gone':
        return [{ after, kind: 'gone', container: '' }];
      default:
        return [];
    }
  });
}

const show = ({ kind, container, attempt, after }: Fact): string =>
  `${kind} ${container}${attempt === undefined ? '' : `/${attempt}`} at ${after.toFixed(1)} s`;

/** Returns the time from the next end of a container to its next start. */
function gapOf(facts: readonly Fact[], name: string): number | undefined {
  const ended = facts.find(({ kind, container }) => kind === 'end' && container === name);
  const started =
    ended &&
    facts.find(({ kind, container, after }) => kind === 'attempt' && container === name && after >= ended.after);
  return started && started.after - ended.after;
}

/** Returns the containers whose end can't be predicted, because they run for the first time or haven't started. */
function unforeseeable({ pod }: PodSnapshot): ReadonlySet<string> {
  const untried = knownContainers(pod).filter(
    ({ status: { state, lastState } }) =>
      lastState?.terminated === undefined &&
      (state?.running ?? /^(?:ContainerCreating|PodInitializing)$/.test(state?.waiting?.reason ?? '')),
  );
  return new Set(untried.map(({ container }) => container.name));
}

/**
 * Compares, for each container, the next action of each kind.
 * @returns the wrong predictions, and how many actions were compared
 */
export function judge(
  snapshot: PodSnapshot,
  forecast: Forecast,
  { facts, until }: Facts,
  profile: Profile,
): { readonly misses: readonly string[]; readonly compared: number } {
  const surprises = unforeseeable(snapshot);
  const happened = facts.filter(({ after }) => after > 0);
  const said = (pattern: RegExp): boolean => snapshot.events.some(({ reason }) => pattern.test(reason));
  const hasFailed =
    said(/^Failed$/) ||
    knownContainers(snapshot.pod).some(({ status }) => /Err|BackOff|Invalid/.test(status.state?.waiting?.reason ?? ''));
  const isSurprise = ({ kind, container }: Fact): boolean =>
    kind === 'failure'
      ? !hasFailed
      : surprises.has(container) && !said(/^(?:Unhealthy|Killing)$/) && (kind === 'end' || kind === 'kill');
  const end = Math.min(
    until,
    happened.find(isSurprise)?.after ?? until,
    (forecast.until - forecast.observedAt) / 1_000,
  );
  const real = happened.filter(({ after }) => after < end);
  const predicted = foretold(forecast);
  const misses: string[] = [];
  let compared = 0;
  const keys = new Set(
    [...real, ...predicted]
      .filter(({ kind }) => kind !== 'end' && kind !== 'failure')
      .map(({ kind, container }) => `${kind} ${container}`),
  );
  for (const key of keys) {
    const isIt = ({ kind, container }: Fact): boolean => key === `${kind} ${container}`;
    const [did, foreseen] = [real.find(isIt), predicted.find(isIt)];
    // This action had begun before the observation, so the forecast doesn't contain it.
    if (
      did?.kind === 'kill' &&
      did.after < lag &&
      snapshot.events.some(({ reason, last }) => reason === 'Killing' && forecast.observedAt - last < lag * 1_000)
    )
      continue;
    if (did && foreseen) {
      compared++;
      const isLate = facts.some(
        (fact) => isIt(fact) && fact.after <= 0 && fact.after > -lag && fact.attempt === foreseen.attempt,
      );
      const isSame = foreseen.attempt === undefined || did.attempt === undefined || foreseen.attempt === did.attempt;
      if (
        !isLate &&
        (!isSame ||
          Math.abs(foreseen.after - did.after) >
            rhythmAfter(
              forecast.waits.find(({ container }) => container === foreseen.container)?.seconds ?? 0,
              profile,
            ))
      )
        misses.push(`foretold ${show(foreseen)}, but ${show(did)}`);
    } else if (did && did.after < end - rhythm) misses.push(`not foretold: ${show(did)}`);
    // A kubelet drops frequent events, and a pull is visible only in its event.
    else if (foreseen && foreseen.kind !== 'pull' && foreseen.after < end - rhythm) {
      const isLate = facts.some((fact) => isIt(fact) && fact.after <= 0 && fact.after > -lag);
      if (!isLate) misses.push(`did not happen: ${show(foreseen)}`);
    }
  }
  for (const { container } of knownContainers(snapshot.pod)) {
    const [did, said] = [real, predicted].map((all) => gapOf(all, container.name));
    if (did === undefined || said === undefined) continue;
    compared++;
    if (did < atOnce !== said < atOnce)
      misses.push(
        `${container.name} was to start ${said.toFixed(1)} s after its end, but did after ${did.toFixed(1)} s`,
      );
  }
  for (const wait of forecast.waits) {
    const over = (wait.until - forecast.observedAt) / 1_000;
    const did = real.find(
      ({ kind, container }) => container === wait.container && kind === (wait.kind === 'image' ? 'pull' : 'attempt'),
    );
    if (!did) continue;
    compared++;
    if (did.after < over - grain || did.after > Math.max(0, over) + rhythmAfter(wait.seconds, profile))
      misses.push(`${wait.container} was to wait until ${over.toFixed(1)} s, but ${show(did)}`);
  }
  return { misses, compared };
}
