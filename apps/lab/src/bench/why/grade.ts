/** Grades diagnoses against the answers of an expert by aspect: cause, remedy, forecast. */
import { type Diagnosis, inEnglish } from '@podscope/trace/explain';
import type { Answer, Expectation } from './cases.ts';

type CauseGrade = 'right' | 'partly' | 'wrong' | 'silent';
type RemedyGrade = 'right' | 'vague' | 'wrong' | 'none';
type ForecastGrade = 'right' | 'wrong' | 'none';

export interface Grade {
  readonly cause: CauseGrade;
  readonly remedy: RemedyGrade;
  readonly forecast: ForecastGrade;
  /** The patterns or words that were missed, or a wrong remedy that was found. */
  readonly misses: readonly string[];
}

/** The content of a diagnosis, by aspect. Quoted messages don't count. */
export interface Said {
  readonly first: string;
  readonly causes: string;
  readonly remedies: string;
  readonly outlook: string;
}

export function saidOf(diagnoses: readonly Diagnosis[]): Said {
  const causeOf = ({ title, cause }: Diagnosis): string => [title, ...cause].map(inEnglish).join(' ');
  return {
    first: diagnoses.slice(0, 1).map(causeOf).join(' '),
    causes: diagnoses.map(causeOf).join(' '),
    remedies: diagnoses
      .flatMap(({ next }) => next.map(({ why, command }) => `${inEnglish(why)}: ${command}`))
      .join('\n'),
    outlook: diagnoses.flatMap(({ outlook = [] }) => outlook.map(inEnglish)).join(' '),
  };
}

const matches = (text: string, pattern: string): boolean => new RegExp(pattern, 'i').test(text);

function byPatterns(said: Said, { cause, remedy, not, next }: Exclude<Expectation, { healthy: true }>): Grade {
  const missed = (patterns: readonly string[], text: string): readonly string[] =>
    patterns.filter((each) => !matches(text, each));
  const causeMisses = missed(cause, said.first);
  const remedyMisses = missed(remedy, said.remedies);
  const wrong = not.filter((each) => matches(said.remedies, each));
  const nextMisses = missed(next, said.outlook);
  return {
    cause:
      said.first === ''
        ? 'silent'
        : causeMisses.length === 0
          ? 'right'
          : missed(cause, said.causes).length * 2 <= cause.length
            ? 'partly'
            : 'wrong',
    remedy: wrong.length > 0 ? 'wrong' : said.remedies === '' ? 'none' : remedyMisses.length === 0 ? 'right' : 'vague',
    forecast: said.outlook === '' ? 'none' : nextMisses.length === 0 ? 'right' : 'wrong',
    misses: [
      ...causeMisses.map((each) => `cause lacks /${each}/`),
      ...remedyMisses.map((each) => `remedy lacks /${each}/`),
      ...wrong.map((each) => `wrong remedy /${each}/`),
      ...nextMisses.map((each) => `forecast lacks /${each}/`),
    ],
  };
}

const common = new Set(
  (
    'about after again also and any are because before but can cannot does either else for from has have how into ' +
    'its itself like may more most must not now only other over same see should such than that the their them ' +
    'then there they this till until was what when where which while will with without would yes your'
  ).split(' '),
);

/** Returns the words of a text that a grade compares: names, numbers and the stems of other words. */
function wordsOf(text: string): ReadonlySet<string> {
  const words = text.toLowerCase().match(/[a-z0-9][\w.:/-]*[a-z0-9]|\d+/g) ?? [];
  return new Set(
    words
      .filter((word) => word.length > 2 && !common.has(word))
      .map((word) =>
        /\d|[./:-]/.test(word) ? word : word.replace(/(?:ing|ed|es|s|er|ly|ation|ion)$/, '').slice(0, 6),
      ),
  );
}

const share = (wanted: string, text: string): number => {
  const words = [...wordsOf(wanted)];
  const has = wordsOf(text);
  const all = text.toLowerCase();
  return words.length === 0
    ? 1
    : words.filter((word) => has.has(word) || (word.length > 4 && all.includes(word))).length / words.length;
};

/** Estimates a grade from the words that the answer and the diagnosis share, for answers without patterns. */
function byWords(said: Said, { cause, remedy, must_not: mustNot, next }: Answer): Grade {
  const [causeShare, remedyShare, nextShare] = [
    share(cause, said.first),
    share(remedy, said.remedies),
    share(next, said.outlook),
  ];
  const commands = said.remedies.split('\n');
  const wrong = mustNot
    .split(/[;,]/)
    .filter((each) => each.trim() !== '' && !/^\s*say\b/i.test(each))
    .filter(
      (each) =>
        wordsOf(each).size > 1 &&
        commands.some(
          (line) =>
            share(each, line.replace(/\([^)]*without[^)]*\)/g, '')) === 1 && !/only|without|certainly/i.test(line),
        ),
    );
  return {
    cause: said.first === '' ? 'silent' : causeShare >= 0.4 ? 'right' : causeShare >= 0.2 ? 'partly' : 'wrong',
    remedy: wrong.length > 0 ? 'wrong' : said.remedies === '' ? 'none' : remedyShare >= 0.3 ? 'right' : 'vague',
    forecast: said.outlook === '' ? 'none' : nextShare >= 0.25 ? 'right' : 'wrong',
    misses: [
      ...(causeShare < 0.4 ? [`cause shares ${Math.round(causeShare * 100)} % of its words`] : []),
      ...(remedyShare < 0.3 ? [`remedy shares ${Math.round(remedyShare * 100)} % of its words`] : []),
      ...(nextShare < 0.25 ? [`forecast shares ${Math.round(nextShare * 100)} % of its words`] : []),
      ...wrong.map((each) => `wrong remedy: ${each.trim()}`),
    ],
  };
}

const isHealthy = ({ cause, remedy, expect }: Answer): boolean =>
  expect === undefined
    ? /^\W*(?:healthy|all (?:is )?well|nothing (?:is )?wrong|no problem)/i.test(cause) || /^none$/i.test(remedy.trim())
    : 'healthy' in expect;

/** Grades the diagnoses of one pod. For a healthy pod, no diagnosis is the right answer. */
export function grade(diagnoses: readonly Diagnosis[], answer: Answer): Grade {
  const said = saidOf(diagnoses);
  if (isHealthy(answer)) {
    const loud = diagnoses.some(({ severity }) => severity !== 'info');
    return loud
      ? { cause: 'wrong', remedy: 'wrong', forecast: 'wrong', misses: [`a healthy pod gets: ${said.first}`] }
      : { cause: 'right', remedy: 'right', forecast: 'right', misses: [] };
  }
  return answer.expect && !('healthy' in answer.expect) ? byPatterns(said, answer.expect) : byWords(said, answer);
}

export const passes = ({ cause, remedy, forecast }: Grade): boolean =>
  cause === 'right' && remedy === 'right' && forecast === 'right';
