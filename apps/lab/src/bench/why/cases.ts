/**
 * Reads a directory of failing pods with the answers of an expert: `NAME.yaml`, `NAME.events.yaml`, the last log lines
 * of containers as `NAME.CONTAINER.log`, `answers.yaml`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { maskText } from '@podscope/node/secrets';
import { type ClusterFacts, type PodSnapshot, readSnapshots } from '@podscope/pod-snapshot';
import { parse } from 'yaml';
import { z } from 'zod';

const patterns = z.array(z.string()).default([]);

/** How an answer is recognized in a diagnosis; all patterns of an aspect have to match. */
const expectation = z.union([
  z.strictObject({ healthy: z.literal(true) }),
  z.strictObject({
    cause: patterns,
    remedy: patterns,
    /** Patterns of wrong remedies, which must not match. */
    not: patterns,
    next: patterns,
  }),
]);
export type Expectation = z.infer<typeof expectation>;

const answerSchema = z.looseObject({
  case: z.string(),
  cause: z.string(),
  remedy: z.string(),
  must_not: z.string().default(''),
  next: z.string(),
  /** The patterns that a diagnosis has to match. If absent, the diagnosis is compared with the answer's words. */
  expect: expectation.optional(),
});
export type Answer = z.infer<typeof answerSchema>;

export interface GradedCase {
  readonly name: string;
  readonly snapshot: PodSnapshot;
  readonly facts: ClusterFacts;
  readonly answer: Answer;
}

/** Returns the contents of the files `NAME.CONTAINER.log`, by container. */
function logsOf(directory: string, name: string): Readonly<Record<string, string>> {
  const files = readdirSync(directory).filter((file) => file.startsWith(`${name}.`) && file.endsWith('.log'));
  return Object.fromEntries(
    files.map((file) => [
      file.slice(name.length + 1, -'.log'.length),
      maskText(readFileSync(join(directory, file), 'utf8')),
    ]),
  );
}

/** Returns the cases of a directory in the order of its answers. @throws Error for a missing or invalid file */
export function readCases(directory: string): readonly GradedCase[] {
  const answers = z.array(answerSchema).parse(parse(readFileSync(join(directory, 'answers.yaml'), 'utf8')));
  return answers.map((answer) => {
    const file = join(directory, `${answer.case}.yaml`);
    const events = join(directory, `${answer.case}.events.yaml`);
    const text = [file, ...(existsSync(events) ? [events] : [])]
      .map((name) => readFileSync(name, 'utf8'))
      .join('---\n');
    const { snapshots, errors } = readSnapshots(text);
    const [snapshot] = snapshots;
    if (!snapshot) throw new Error(`${file}: ${errors[0]?.message ?? 'no pod'}`);
    return { name: answer.case, snapshot, facts: { logs: logsOf(directory, answer.case) }, answer };
  });
}
