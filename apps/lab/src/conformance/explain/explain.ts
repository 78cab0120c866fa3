/** Explains one recorded case: its input, the rules that the engine evaluates, its decision, and the kubelet's. */
import type { Release } from '@podscope/kuberuntime/testing';
import { Tracer } from '@podscope/trace';
import type { VectorCase } from '../kinds/kind.ts';
import { kinds } from '../kinds/kinds.ts';
import { readLines } from '../lines.ts';
import type { RecordedNodes } from '../nodes.ts';
import { describeDisagreeing, type Output } from '../report.ts';
import { readCase, releaseOf } from '../run-file.ts';
import type { VectorFile } from '../vector-files.ts';
import { DecisionReport } from './decision-report.ts';

export interface ExplainOptions extends Output {
  readonly nodes: RecordedNodes;
  readonly profile: Release | undefined;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

/** Returns the explanation of a case, line by line. */
async function formatCase(
  vector: VectorCase,
  where: { readonly label: string; readonly line: number; readonly path: string },
  release: Release,
  nodes: RecordedNodes,
): Promise<{ readonly lines: readonly string[]; readonly agrees: boolean }> {
  const report = new DecisionReport();
  const tools = {
    release,
    node: () => nodes.of(where.path, release),
    tracer: new Tracer(report),
    onPart: (title: string) => report.begin(title),
  };
  const finding = await vector.judge(tools);
  const { evaluated, decided } = report.finish();
  const lines = [
    `${vector.id} (${where.label}, line ${where.line}), decided as ${release}`,
    '',
    'Given',
    ...indented(vector.situation),
    '',
    'Evaluated in this order (→ it decided something, · it did not)',
    ...(evaluated.length > 0 ? evaluated : ['  no rule: nothing had to be decided']),
    ...(decided.length > 0 ? ['', 'Result', ...indented(decided)] : []),
    '',
    'The kubelet',
    ...vector.recorded,
    '',
    ...(finding
      ? [
          'The engine does otherwise:',
          ...describeDisagreeing(where.label, { kind: 'differs', line: where.line, id: vector.id, finding }, true),
        ]
      : ['The engine does the same.']),
  ];
  return { lines, agrees: finding === undefined };
}

/** Explains the case with the given id. @returns the exit code: 0 if the case agrees */
export async function explainCase(
  files: readonly VectorFile[],
  id: string,
  { nodes, profile, out, err }: ExplainOptions,
): Promise<number> {
  const quoted = JSON.stringify(id);
  for (const file of files) {
    for await (const line of readLines(file.path)) {
      if (!line.text?.includes(quoted)) continue;
      const vector = readCase(kinds[file.kind], line.text);
      if (vector.id !== id) continue;
      const release = releaseOf(file, vector) ?? profile ?? 'v1.36';
      const { lines, agrees } = await formatCase(
        vector,
        { label: file.label, line: line.number, path: file.path },
        release,
        nodes,
      );
      for (const text of lines) out(text);
      return agrees ? 0 : 1;
    }
  }
  err(`conformance: no case has the id ${quoted}`);
  return 1;
}
