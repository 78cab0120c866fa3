/** Summarizes how the shadow engine's syncs compare with a kubelet's. */

import { describeCall, identityOf } from './shadow/identity.ts';
import type { SyncReport } from './sync-judge.ts';

/** Figures that count only syncs with at least one observed or predicted write. */
export interface ShadowFigures {
  readonly counted: number;
  readonly agrees: number;
  readonly differs: number;
  readonly unknown: number;
  /** Share of the decided syncs whose calls agree; 1 if no sync is decided. */
  readonly agreement: number;
  /** Share of the counted syncs whose verdict is unknown. */
  readonly unknownRate: number;
  /** Number of syncs without any write. They aren't counted. */
  readonly idle: number;
}

/** Returns the figures of judged syncs. */
export function figuresOf(reports: readonly SyncReport[]): ShadowFigures {
  const counted = reports.filter(({ judged }) => judged.counts);
  const count = (verdict: SyncReport['judged']['verdict']): number =>
    counted.filter(({ judged }) => judged.verdict === verdict).length;
  const [agrees, differs, unknown] = [count('agrees'), count('differs'), count('unknown')];
  return {
    counted: counted.length,
    agrees,
    differs,
    unknown,
    agreement: agrees + differs === 0 ? 1 : agrees / (agrees + differs),
    unknownRate: counted.length === 0 ? 0 : unknown / counted.length,
    idle: reports.length - counted.length,
  };
}

/** Returns a sync as data for a bug report: inputs, predictions, calls and the verdict. */
export function exportSync({ sync, calls, judged, input }: SyncReport): Readonly<Record<string, unknown>> {
  const { verdict, missing, differences, kind } = judged;
  return {
    pod: sync.pod,
    sync: { start: new Date(sync.start).toISOString(), bounds: sync.bounds, kind },
    verdict,
    ...(missing ? { missing } : {}),
    differences: differences.map(({ side, text }) => ({ side, call: text })),
    calls: calls.map(({ method, request, t, result }) => ({
      at: t - sync.start,
      call: describeCall(identityOf(method, request)),
      status: result?.status,
      message: result?.message,
    })),
    ...(input
      ? {
          profile: input.profile,
          gates: input.gates,
          spec: input.pod,
          podStatus: input.podStatus,
          liveness: Object.fromEntries(input.liveness),
          startup: Object.fromEntries(input.startup),
          backOffs: Object.fromEntries(input.memory.backOffs),
          imageBackOffs: Object.fromEntries(input.memory.imageBackOffs),
        }
      : {}),
  };
}
