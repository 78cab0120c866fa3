/** Sums up the outcomes of runs for display. */
import type { RunOutcome } from './run-schedule.ts';

/** The totals of several runs. */
export class Tally {
  runs = 0;
  pods = 0;
  lost = 0;
  leaked = 0;
  events = 0;
  calls = 0;
  simulated = 0;
  readonly done = new Map<string, number>();
  readonly failed: RunOutcome[] = [];

  add(outcome: RunOutcome): void {
    this.runs += 1;
    this.pods += outcome.pods;
    this.lost += outcome.lost;
    this.leaked += outcome.leaked;
    this.events += outcome.events;
    this.calls += outcome.calls;
    this.simulated += outcome.simulated;
    for (const [kind, count] of outcome.done) this.done.set(kind, (this.done.get(kind) ?? 0) + count);
    if (outcome.problems.length > 0) this.failed.push(outcome);
  }

  /** Formats all figures, one per line. */
  get text(): string {
    const number = (value: number): string => Math.round(value).toLocaleString('en');
    const kinds = [...this.done].toSorted(([, a], [, b]) => b - a);
    return [
      `runs                 ${number(this.runs)}`,
      `failed               ${number(this.failed.length)}`,
      `pods checked         ${number(this.pods)}`,
      `lost                 ${number(this.lost)}`,
      `leaked               ${number(this.leaked)}`,
      `CRI calls            ${number(this.calls)}`,
      `events               ${number(this.events)}, without a gap`,
      `simulated time       ${(this.simulated / 3_600_000).toFixed(1)} h`,
      `acts                 ${number(kinds.reduce((sum, [, count]) => sum + count, 0))}`,
      ...kinds.map(([kind, count]) => `  ${kind.padEnd(19)}${number(count)}`),
    ].join('\n');
  }
}
