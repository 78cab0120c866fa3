/** Implements `conformance`: compares the engine's decisions with those recorded from the genuine kubelet. */
import { type CommandBody } from '@podscope/command-line';
import { explainCase } from './explain/explain.ts';
import { kinds } from './kinds/kinds.ts';
import { RecordedNodes } from './nodes.ts';
import { type ConformanceOptions, help, parseConformanceOptions } from './options.ts';
import { describeOutcome, fileLine, type Output } from './report.ts';
import { type FileOutcome, runFile } from './run-file.ts';
import { findVectorFiles, type VectorFile } from './vector-files.ts';

/** Number of disagreements shown per file without `--verbose`. */
const keptPerFile = 5;

const terminal: Output = { out: (line) => console.log(line), err: (line) => console.error(line) };

/** Runs the recorded cases. @returns the exit code */
export async function conformance(options: ConformanceOptions, { out, err }: Output): Promise<number> {
  const { path, profile, only, verbose, explain } = options;
  const { files, unknown } = await findVectorFiles(path);
  for (const name of unknown)
    err(`conformance: ${name} is ignored: its name is not that of a file of recordings (see --help)`);
  const nodes = new RecordedNodes();
  if (explain && only !== undefined) return explainCase(files, only, { nodes, profile, out, err });
  const mine = files.filter(({ release }) => profile === undefined || release === undefined || release === profile);
  const width = Math.max(0, ...mine.map(({ label }) => label.length));
  const outcomes: FileOutcome[] = [];
  for (const file of mine) {
    const begun = performance.now();
    const outcome = await runFile(file, {
      kind: kinds[file.kind],
      nodes,
      profile,
      only,
      keep: verbose ? Number.POSITIVE_INFINITY : keptPerFile,
    });
    if (!outcome) continue;
    outcomes.push(outcome);
    out(fileLine(outcome, width, verbose ? (performance.now() - begun) / 1000 : undefined));
  }
  const sum = (of: (outcome: FileOutcome) => number): number =>
    outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const [cases, agreeing] = [sum((outcome) => outcome.cases), sum((outcome) => outcome.agreeing)];
  if (cases === 0) {
    err(nothingFound(options, mine));
    return 1;
  }
  out(`${'total'.padEnd(width)}  ${agreeing}/${cases} agree`);
  for (const outcome of outcomes) for (const line of describeOutcome(outcome, verbose)) out(line);
  return agreeing === cases ? 0 : 1;
}

function nothingFound({ path, only, profile }: ConformanceOptions, files: readonly VectorFile[]): string {
  if (only !== undefined) return `conformance: no case has the id ${JSON.stringify(only)} in ${path}`;
  return (
    `conformance: ${files.length === 0 ? 'no file of recordings' : 'no case'}${profile ? ` of ${profile}` : ''} ` +
    `in ${path}`
  );
}

export const command: CommandBody = {
  help,
  examples: [
    ['conformance', 'Compare with the recordings of the repository'],
    ['conformance --profile v1.20 --verbose', 'Only those of v1.20, each with its result'],
  ],
  run: (args) => conformance(parseConformanceOptions(args), terminal),
};
