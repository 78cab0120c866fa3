/** Implements `bench shadow`: compares recorded syncs of genuine kubelets with the shadow engine. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CommandBody, print, printJson, readArguments, UsageError } from '@podscope/command-line';
import {
  exportSync,
  figuresOf,
  replay,
  type ShadowFigures,
  type SyncReport,
  type Tracing,
  tracings,
} from '@podscope/observer';
import { readRecordingDirectory, sessionsOf } from '@podscope/server/observe';
import { toJson } from '@podscope/trace';

const own = join(import.meta.dirname, '../../../../packages/observer/recordings');

const options = { json: { type: 'boolean' }, export: { type: 'string' }, verbose: { type: 'boolean' } } as const;

interface Score {
  readonly session: string;
  readonly kubelet: string;
  readonly tracing: Tracing;
  readonly figures: ShadowFigures;
  readonly undecided: readonly { readonly pod: string; readonly at: number; readonly text: string }[];
  readonly reports: readonly SyncReport[];
}

const titles: Readonly<Record<Tracing, string>> = {
  spans: 'with spans',
  traceIds: 'with trace ids alone',
  none: 'without tracing',
};

const describe = ({ judged }: SyncReport): string =>
  judged.missing
    ? `unknown: ${judged.missing.input} (${judged.missing.detail})`
    : `differs: ${judged.differences.map(({ side, text }) => `${side} ${text}`).join(', ')}`;

/** Replays one session. */
async function scoreOf(directory: string, session: string, tracing: Tracing): Promise<Score> {
  const recording = readRecordingDirectory(directory, session);
  const { syncs, observer } = await replay(recording, { tracing });
  const { profile, approximate } = observer.profile;
  const version = recording.facts.version ?? 'unknown release';
  return {
    session,
    kubelet: `${version}, profile ${profile}${approximate ? ' (approximate)' : ''}`,
    tracing,
    figures: figuresOf(syncs),
    undecided: syncs
      .filter(({ judged }) => judged.counts && judged.verdict !== 'agrees')
      .map((report) => ({
        pod: report.sync.pod.name,
        at: Math.round(report.sync.start - recording.startedAt),
        text: describe(report),
      })),
    reports: syncs,
  };
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

const line = ({ counted, agrees, differs, unknown, agreement, unknownRate, idle }: ShadowFigures): string =>
  `${counted} syncs: ${agrees} agree, ${differs} differ, ${unknown} unknown; ` +
  `agreement ${percent(agreement)}, unknown ${percent(unknownRate)}; ${idle} without writes`;

function writeReports(directory: string, scores: readonly Score[]): void {
  mkdirSync(directory, { recursive: true });
  for (const { session, tracing, reports } of scores) {
    for (const report of reports) {
      const { counts, verdict } = report.judged;
      if (!counts || verdict === 'agrees') continue;
      const name = `${session}-${tracing}-${report.sync.pod.name}-${report.sync.id}.json`;
      writeFileSync(join(directory, name), `${toJson(exportSync(report))}\n`);
    }
  }
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench shadow [DIR] [options]

Replays recorded conversations of genuine kubelets (calls-X.jsonl[.gz], pods-X.json[.gz], spans-X.json[.gz],
actions-X.json) and compares each sync with the one that the shadow engine computes: with spans, with the trace ids of
the calls alone, and without tracing. Counted are syncs with at least one observed or predicted call that writes.
Default: the recordings in packages/observer. The exit code is 1 if fewer than 99 % of the decided syncs agree, or more
than 5 % are unknown.

  --export DIR  Writes each sync that differs or is unknown as a file.
  --json        As JSON.`,
  examples: [
    ['bench shadow', 'Score the recordings in packages/observer'],
    ['bench shadow ../recordings --export /tmp/differences', 'Score another directory and keep the differences'],
  ],
  run: async (args) => {
    const { values, positionals } = readArguments(args, options, 'bench shadow');
    const directory = resolve(positionals[0] ?? own);
    const sessions = sessionsOf(directory);
    if (sessions.length === 0) throw new UsageError(`${directory} has no calls-X.jsonl or calls-X.jsonl.gz`);
    const scores: Score[] = [];
    for (const tracing of tracings)
      for (const session of sessions) scores.push(await scoreOf(directory, session, tracing));
    if (values.export !== undefined) writeReports(resolve(values.export), scores);
    const totals = tracings.map((tracing) => ({
      tracing,
      figures: figuresOf(scores.filter((each) => each.tracing === tracing).flatMap(({ reports }) => reports)),
    }));
    if (values.json) printJson({ totals, sessions: scores.map(({ reports: _reports, ...score }) => score) });
    else {
      for (const { tracing, figures } of totals) {
        print(titles[tracing]);
        for (const score of scores.filter((each) => each.tracing === tracing)) {
          print(`  ${score.session.padEnd(8)}${score.kubelet}`);
          print(`          ${line(score.figures)}`);
          for (const { pod, at, text } of score.undecided) print(`          ${pod} at ${at} ms: ${text}`);
        }
        print(`  all     ${line(figures)}\n`);
      }
    }
    return totals.some(({ figures }) => figures.agreement < 0.99 || figures.unknownRate > 0.05) ? 1 : 0;
  },
};
