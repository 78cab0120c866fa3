/** Checks the text of a scenario that isn't in the library: a file, or the block `scenario` of a lesson. */
import { isRecord } from '@podscope/base';
import type { Known, KnownScene } from '../known.ts';
import type { LessonScenario } from '../model.ts';
import { fieldOf, type LessonProblem, problemOfIssue, problemText } from '../problem.ts';
import { readYaml } from './read-yaml.ts';

/** The end of the name of a scenario's file. */
export const scenarioFileEnding = '.scenario.yaml';

/** Returns the problems of a scenario with their lines, or the scenario if it has no problems. */
export function checkScenario(
  { id, value, lineOf }: LessonScenario,
  readScenario: Known['readScenario'],
): { readonly scenario: KnownScene | undefined; readonly problems: readonly LessonProblem[] } {
  const { scenario, error } = readScenario(value);
  return {
    scenario,
    problems: (error?.issues ?? []).map((issue) => ({
      line: lineOf(issue.path),
      parts: [problemText('ownScenario', { scenario: id }), ...fieldOf(issue.path)],
      ...problemOfIssue(issue),
    })),
  };
}

/** Returns the parsed YAML of a scenario's file, or its problems. */
export function parseScenario(
  text: string,
  readScenario: Known['readScenario'],
): { readonly value?: unknown; readonly problems: readonly LessonProblem[] } {
  const problems: LessonProblem[] = [];
  const yaml = readYaml(text, 1, (line, problem) => void problems.push({ line, parts: [], ...problem }));
  if (!yaml) return { problems };
  const { value, lineOf } = yaml;
  const id = isRecord(value) && typeof value['id'] === 'string' ? value['id'] : '';
  const checked = checkScenario({ id, value, lineOf }, readScenario);
  return checked.problems.length > 0 ? checked : { value, problems };
}
