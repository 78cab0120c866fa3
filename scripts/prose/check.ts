/** Checks the prose of files against the rules, the width of their lines and the names after `@param`. */
import { chineseLinesOf, chineseStringsOf, commentsOf, type Prose, paragraphsOf, stringsOf } from './extract.ts';
import { unknownParams } from './params.ts';
import { chineseRules, headerRules, type Rule, wordingRules } from './rules.ts';

/** A wording that violates a rule. */
export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly words: string;
  readonly advice: string;
}

const maxColumns = 120;
const maxCellColumns = 120;

/** Matches files whose strings are English texts for users. */
const catalogues: readonly RegExp[] = [
  /messages\.en\.ts$/,
  /\/texts\.[^/]*ts$/,
  /^packages\/flow\/src\/texts\//,
  /^packages\/trace\/src\/explain\/.*messages\.ts$/,
  /^packages\/lessons\/src\/(?:problem-texts|glossary\/terms)\.ts$/,
  /^packages\/scenarios\/src\/library\//,
  /^packages\/timeline\/src\/words\/words\.ts$/,
  /^apps\/server\/src\/kubernetes-api\/openapi\/descriptions\.ts$/,
];
const isCatalogue = (path: string): boolean => catalogues.some((pattern) => pattern.test(path));

/** Texts that events of recorded runs contain. The page finds their translation by the text, so they can't change. */
const recordedTexts: ReadonlySet<string> = new Set(['a new sandbox is needed: there is none']);
const isChinese = (path: string): boolean => /\/zh-CN\//.test(path);
const isSource = (path: string): boolean => /\.tsx?$/.test(path) && !/\.(?:generated|d)\.ts$/.test(path);
const isTest = (path: string): boolean => /\.(?:test|spec)\.tsx?$/.test(path);

/** Returns every finding in one file. Checks only TypeScript and Markdown files. */
export function checkProse(path: string, source: string): Finding[] {
  if (path.endsWith('.md')) {
    const prose = isChinese(path) ? chineseLinesOf(source) : paragraphsOf(source);
    return [...wordings(path, prose), ...wideCells(path, source)];
  }
  if (!isSource(path)) return [];
  const comments = commentsOf(source);
  const texts = isCatalogue(path)
    ? stringsOf(source).filter(({ text }) => !recordedTexts.has(text))
    : helpTexts(source);
  return [
    ...wordings(path, [...comments, ...texts, ...(isTest(path) ? [] : chineseStringsOf(source))]),
    ...(isTest(path) || comments[0]?.kind === 'header' ? [] : [finding(path, 1, '', 'add a header: one sentence')]),
    ...unknownParams(source).map(({ line, name }) => finding(path, line, `@param ${name}`, 'no such parameter')),
    ...wideLines(path, source),
  ];
}

/** The long template texts of `--help`. */
const helpTexts = (source: string): Prose[] =>
  /\bhelp(?::| =)\s*[`']/.test(source) ? stringsOf(source).filter(({ text }) => text.split(' ').length > 3) : [];

function wordings(path: string, prose: readonly Prose[]): Finding[] {
  return prose.flatMap(({ line, text, kind }) => {
    const rules: readonly Rule[] =
      kind === 'chinese' ? chineseRules : kind === 'header' ? [...headerRules, ...wordingRules] : wordingRules;
    return rules.flatMap(({ pattern, advice }) => {
      const match = pattern.exec(text);
      return match ? [finding(path, line, around(text, match), advice)] : [];
    });
  });
}

const around = (text: string, match: RegExpExecArray): string =>
  text.slice(Math.max(0, match.index - 25), match.index + Math.min(match[0].length, 40) + 25);

/** Returns the indexes of lines within inline snapshots, which are the output of a program. */
function snapshotLines(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>();
  let isInside = false;
  for (const [index, line] of lines.entries()) {
    if (isInside) found.add(index);
    if (/InlineSnapshot\(`[^`]*$/.test(line)) isInside = true;
    else if (/^\s*`\)/.test(line)) isInside = false;
  }
  return found;
}

/** Returns true for a line with an address or a regular expression, which can't be broken. */
const isUnbreakable = (line: string): boolean =>
  /https?:\/\/|(?:^|[\s([=,:])\/(?![/*]).{40,}\/[dgimsuvy]*[,;)\].]*/.test(line);

function wideLines(path: string, source: string): Finding[] {
  const lines = source.split('\n');
  const snapshots = snapshotLines(lines);
  return lines.flatMap((line, index) =>
    line.length > maxColumns && !isUnbreakable(line) && !snapshots.has(index)
      ? [finding(path, index + 1, line.trim().slice(0, 60), `at most ${maxColumns} columns, this has ${line.length}`)]
      : [],
  );
}

const wideCells = (path: string, source: string): Finding[] =>
  source.split('\n').flatMap((line, index) => {
    const cell = line.startsWith('|')
      ? line.split(/(?<!\\)\|/).find((each) => each.trim().length > maxCellColumns)
      : undefined;
    return cell
      ? [finding(path, index + 1, cell.trim().slice(0, 60), 'turn the long table cell into a paragraph')]
      : [];
  });

const finding = (path: string, line: number, words: string, advice: string): Finding => ({ path, line, words, advice });
