/** Formats diagnoses for a terminal and as JSON. */
import type { PodDiagnosis, PodSnapshot } from '@podscope/pod-snapshot';
import { printable, summarizeObject } from '@podscope/trace';
import { type Diagnosis, elided, inEnglish } from '@podscope/trace/explain';

export interface Terminal {
  readonly color: boolean;
  /** Width of the terminal, in columns. */
  readonly width: number;
}

export interface Report {
  readonly snapshot: PodSnapshot;
  readonly diagnosis: PodDiagnosis;
  readonly missing: readonly string[];
}

const codes = {
  bold: [1, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
  dim: [2, 22],
  cyan: [36, 39],
} as const;

const paint = ({ color }: Terminal, style: keyof typeof codes, text: string): string =>
  color ? `\u001b[${codes[style][0]}m${text}\u001b[${codes[style][1]}m` : text;

/** Breaks a text into lines of the terminal's width. */
export function wrap(text: string, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, indent + line];
}

const longestFact = 300;
const sure = { certain: '', likely: ', likely', unknown: ', not certain' } as const;
const marks = { error: ['red', '✗'], waiting: ['yellow', '…'], info: ['cyan', 'i'] } as const;

function diagnosisLines(
  { severity, title, cause, facts, outlook = [], next, origin, certainty = 'certain' }: Diagnosis,
  terminal: Terminal,
): readonly string[] {
  const [style, mark] = marks[severity];
  const label = (text: string): string => `  ${paint(terminal, 'bold', text)}`;
  const paragraph = (text: string): readonly string[] => wrap(printable(text), terminal.width, '    ');
  return [
    `${paint(terminal, style, mark)} ${paint(terminal, 'bold', printable(inEnglish(title)))}` +
      (origin ? paint(terminal, 'dim', `  (${origin}${sure[certainty]})`) : ''),
    ...paragraph(cause.map(inEnglish).join(' ')),
    ...(facts.length > 0 ? [label('Evidence')] : []),
    ...facts.flatMap(({ path, value }) =>
      wrap(printable(`${path}: ${elided(value, longestFact)}`), terminal.width, '    '),
    ),
    ...(outlook.length > 0 ? [label('What happens next'), ...paragraph(outlook.map(inEnglish).join(' '))] : []),
    ...(next.length > 0 ? [label('What to do')] : []),
    // Don't wrap commands, so that users can copy them.
    ...next.flatMap(({ why, command }) => [
      ...wrap(printable(inEnglish(why)), terminal.width, '    '),
      `      ${paint(terminal, 'cyan', printable(command))}`,
    ]),
  ];
}

/** Returns the lines of the report on one pod. */
export const reportLines = (
  { snapshot, diagnosis: { diagnoses }, missing }: Report,
  terminal: Terminal,
): readonly string[] => findingLines(summarizeObject(snapshot.pod).headline, diagnoses, missing, terminal);

/** Returns the lines of the report on an object: a headline, the diagnoses, and the objects that could not be read. */
export function findingLines(
  headline: string,
  diagnoses: readonly Diagnosis[],
  missing: readonly string[],
  terminal: Terminal,
): readonly string[] {
  const body =
    diagnoses.length === 0
      ? [`${paint(terminal, 'green', '✓')} No problem found.`]
      : diagnoses.flatMap((diagnosis, index) => [...(index === 0 ? [] : ['']), ...diagnosisLines(diagnosis, terminal)]);
  return [
    ...wrap(printable(headline), terminal.width, '').map((line) => paint(terminal, 'bold', line)),
    ...body,
    ...missingLines(missing, terminal),
  ];
}

/** Returns a line for each thing that could not be read. */
export const missingLines = (missing: readonly string[], terminal: Terminal): readonly string[] =>
  missing.flatMap((each) => wrap(paint(terminal, 'dim', `Not read: ${printable(each)}`), terminal.width, '  '));

/** Returns diagnoses as JSON, with texts in English. */
export const diagnosesJson = (diagnoses: readonly Diagnosis[]): readonly object[] =>
  diagnoses.map(({ title, cause, outlook = [], next, facts, certainty = 'certain', ...rest }) => ({
    ...rest,
    certainty,
    title: inEnglish(title),
    cause: cause.map(inEnglish).join(' '),
    evidence: facts,
    next: outlook.map(inEnglish).join(' '),
    remedy: next.map(({ why, command }) => ({ why: inEnglish(why), command })),
  }));

/** Returns the report on one pod as JSON, with texts in English. */
export function reportJson({ snapshot, diagnosis: { diagnoses }, missing }: Report): object {
  const { name, namespace = 'default', uid } = snapshot.pod.metadata;
  const { summary } = summarizeObject(snapshot.pod);
  return {
    pod: { namespace, name, uid },
    status: summary.status,
    diagnoses: diagnosesJson(diagnoses),
    missing,
  };
}
