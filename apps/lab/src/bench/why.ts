/** Implements `bench why`: scores the diagnosis of failing pods against the answers of an expert. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type CommandBody, print, printJson, readArguments, UsageError } from '@podscope/command-line';
import { diagnoseSnapshot } from '@podscope/pod-snapshot';
import { readCases } from './why/cases.ts';
import { type Grade, grade, passes, saidOf } from './why/grade.ts';

const root = join(import.meta.dirname, '../../why');
const own = [
  'first-ten',
  'tuned',
  'held-out',
  'fresh-40',
  'fresh-25',
  'fresh-110',
  'fresh-45',
  'fresh-30',
  'fresh-10',
  'fresh-60',
  'fresh-19',
  'fresh-6',
  'kinds',
  'ordinary',
  'threads',
  'rounds',
  'logged',
  'running',
].map((name) => join(root, name));

const options = { show: { type: 'boolean' }, json: { type: 'boolean' } } as const;

/** The score of one directory. */
export interface Score {
  readonly directory: string;
  readonly cases: readonly { readonly name: string; readonly grade: Grade; readonly isEstimated: boolean }[];
}

/** Diagnoses and grades all pods of a directory. */
export const scoreOf = (directory: string): Score => ({
  directory,
  cases: readCases(directory).map(({ name, snapshot, facts, answer }) => ({
    name,
    grade: grade(diagnoseSnapshot(snapshot, facts).diagnoses, answer),
    isEstimated: answer.expect === undefined,
  })),
});

const count = <T extends string>(values: readonly T[], names: readonly T[]): string =>
  names.map((name) => `${name} ${values.filter((value) => value === name).length}`).join(', ');

function printScore({ directory, cases }: Score): void {
  const grades = cases.map((each) => each.grade);
  const passed = grades.filter(passes).length;
  print(`${directory}: ${cases.length} pods`);
  print(
    `  cause     ${count(
      grades.map(({ cause }) => cause),
      ['right', 'partly', 'wrong', 'silent'],
    )}`,
  );
  print(
    `  remedy    ${count(
      grades.map(({ remedy }) => remedy),
      ['right', 'vague', 'wrong', 'none'],
    )}`,
  );
  print(
    `  forecast  ${count(
      grades.map(({ forecast }) => forecast),
      ['right', 'wrong', 'none'],
    )}`,
  );
  print(`  passed    ${passed} (${Math.round((100 * passed) / Math.max(1, cases.length))} %)`);
  if (cases.some(({ isEstimated }) => isEstimated))
    print('  Answers without patterns are compared by their words: read them beside the diagnosis with --show.');
  for (const { name, grade: own } of cases)
    if (!passes(own))
      print(`  ${name}: cause ${own.cause}, remedy ${own.remedy}, forecast ${own.forecast}; ${own.misses.join('; ')}`);
}

function printCases(directory: string): void {
  for (const { name, snapshot, facts, answer } of readCases(directory)) {
    const said = saidOf(diagnoseSnapshot(snapshot, facts).diagnoses);
    print(`\n## ${name}`);
    print(`expert    ${answer.cause}\nsaid      ${said.causes}`);
    print(
      `expert    ${answer.remedy}\nmust not  ${answer.must_not}\nsaid      ` +
        said.remedies.replaceAll('\n', '\n          '),
    );
    print(`expert    ${answer.next}\nsaid      ${said.outlook}`);
  }
}

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench why [DIR…] [options]

Diagnoses the pods of each DIR (NAME.yaml, NAME.events.yaml, NAME.CONTAINER.log) and compares cause, remedy and
forecast with its answers.yaml. Default: the pods in apps/lab/why. The exit code is 1 if a remedy is wrong.

  --show   Prints the expert's answers beside what was said.
  --json   As JSON.`,
  examples: [
    ['bench why', 'Score the pods in apps/lab/why'],
    ['bench why ../pods --show', 'Score another directory and print the answers beside what was said'],
  ],
  run: async (args) => {
    const { values, positionals } = readArguments(args, options, 'bench why');
    const directories = positionals.length > 0 ? positionals.map((name) => resolve(name)) : own;
    for (const directory of directories)
      if (!existsSync(join(directory, 'answers.yaml'))) throw new UsageError(`${directory} has no answers.yaml`);
    const scores = directories.map(scoreOf);
    if (values.json) printJson(scores);
    else for (const score of scores) printScore(score);
    if (values.show) for (const directory of directories) printCases(directory);
    return scores.some(({ cases }) => cases.some((each) => each.grade.remedy === 'wrong')) ? 1 : 0;
  },
};
