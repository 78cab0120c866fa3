/**
 * Replays recordings of the genuine kubelet with the engine, one case at a time, and returns the differences. Also runs
 * in a browser.
 */
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { profileV136 } from '../profiles/v1-36/profile.ts';
import type { Profile } from '../runtime-dependencies.ts';
import { compareRound, type Disagreement, sameJSON } from './compare-rounds.ts';
import { type FakeRules, fakeRulesV120, fakeRulesV136 } from './fake-rules.ts';
import { type NodeRecording, recordingNode } from './recording-node.ts';
import { describePodActions, prepareCompute } from './replay-compute.ts';
import { SyncReplay } from './replay-sync.ts';
import type { ComputeVector, SyncRound, SyncVector } from './vectors.ts';

export type Release = Profile['name'];

/** The profile and the functions with which a release is replayed. */
interface ReleaseKit {
  readonly profile: Profile;
  readonly rules: FakeRules;
}

const kits: Readonly<Record<Release, ReleaseKit>> = {
  'v1.20': { profile: profileV120, rules: fakeRulesV120 },
  'v1.36': { profile: profileV136, rules: fakeRulesV136 },
};

/** Returns the profile of a release. */
export const profileOf = (release: Release): Profile => kits[release].profile;

/**
 * Returns all differences between the computed and the recorded decisions.
 * @param tracer receives the engine's decisions
 */
export function computeDisagreements(
  vector: ComputeVector,
  release: Release,
  tracer: Tracer = new Tracer(),
): Disagreement[] {
  const ctx = background(new VirtualClock(), tracer);
  const got = describePodActions(prepareCompute(vector, profileOf(release)).run(ctx), vector.expect);
  return Object.entries(vector.expect).flatMap(([what, expected]) =>
    sameJSON(expected, got[what]) ? [] : [{ what, expected, got: got[what] }],
  );
}

/** Creates a replay of a recorded pod lifecycle. */
export const replayOf = (
  vector: SyncVector,
  release: Release,
  node: NodeRecording,
  tracer: Tracer = new Tracer(),
): SyncReplay => new SyncReplay(vector, { ...kits[release], node: recordingNode(node), tracer });

/** The first difference in a pod lifecycle. */
export interface SyncDisagreement {
  /** The index of the first round that differs. Differences in later rounds may be consequences of it. */
  readonly round: number;
  readonly disagreements: readonly Disagreement[];
}

/** Receives notifications during a replay. */
export interface ReplayObserver {
  readonly tracer: Tracer;
  /** Called before each round. */
  readonly onRound?: (index: number, round: SyncRound) => void;
}

/** Replays a lifecycle and returns the first difference; undefined if all rounds match. */
export async function syncDisagreement(
  vector: SyncVector,
  release: Release,
  node: NodeRecording,
  { tracer, onRound }: ReplayObserver = { tracer: new Tracer() },
): Promise<SyncDisagreement | undefined> {
  const replay = replayOf(vector, release, node, tracer);
  for (const [index, round] of vector.rounds.entries()) {
    onRound?.(index, round);
    const got = await replay.play(round);
    if (!got || !('expect' in round)) continue;
    const disagreements = compareRound(round.expect, got);
    if (disagreements.length > 0) return { round: index, disagreements };
  }
  return undefined;
}
