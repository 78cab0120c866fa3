var e=`/** Holds the engine against recordings of the real kubelet, one case at a time. Runs in a browser too. */
import { background, Tracer, VirtualClock } from '@podscope/trace';
import type { Profile } from '../profiles/profile.ts';
import { profileV120 } from '../profiles/v1-20.ts';
import { profileV136 } from '../profiles/v1-36.ts';
import { compareRound, type Disagreement, sameJSON } from './compare-rounds.ts';
import { type FakeRules, fakeRulesV120, fakeRulesV136 } from './fake-rules.ts';
import { type NodeRecording, recordingNode } from './recording-node.ts';
import { describePodActions, prepareCompute } from './replay-compute.ts';
import { SyncReplay } from './replay-sync.ts';
import type { ComputeVector, SyncRound, SyncVector } from './vectors.ts';

export type Release = Profile['name'];

/** What a release is held against with. */
interface ReleaseKit {
  readonly profile: Profile;
  readonly rules: FakeRules;
}

const kits: Readonly<Record<Release, ReleaseKit>> = {
  'v1.20': { profile: profileV120, rules: fakeRulesV120 },
  'v1.36': { profile: profileV136, rules: fakeRulesV136 },
};

/** The profile of a release. */
export const profileOf = (release: Release): Profile => kits[release].profile;

/** Everything in which the decision differs; \`tracer\` hears how it was made. */
export function computeDisagreements(vector: ComputeVector, release: Release, tracer: Tracer = new Tracer()): Disagreement[] {
  const ctx = background(new VirtualClock(), tracer);
  const got = describePodActions(prepareCompute(vector, profileOf(release)).run(ctx), vector.expect);
  return Object.entries(vector.expect).flatMap(([what, expected]) => (sameJSON(expected, got[what]) ? [] : [{ what, expected, got: got[what] }]));
}

/** A recorded life, ready to be lived again. */
export const replayOf = (vector: SyncVector, release: Release, node: NodeRecording, tracer: Tracer = new Tracer()): SyncReplay =>
  new SyncReplay(vector, { ...kits[release], node: recordingNode(node), tracer });

/** Where a life took another course. */
export interface SyncDisagreement {
  /** Index of the first round that differs; the rounds after it follow from it. */
  readonly round: number;
  readonly disagreements: readonly Disagreement[];
}

/** Who listens to a life that is lived again. */
export interface ReplayObserver {
  readonly tracer: Tracer;
  /** Called before each round. */
  readonly onRound?: (index: number, round: SyncRound) => void;
}

/** The first round that differs; undefined when none does. */
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
`;export{e as default};
//# sourceMappingURL=conformance-DjpanrXU.js.map