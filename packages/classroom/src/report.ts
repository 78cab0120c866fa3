/** Renders the report of a class as HTML and CSV: one row per learner, one column per question. */
import type { ClassState, Learner } from './class-state.ts';
import { parseLessonQuestionId } from './questions.ts';

/** The texts of the report, in the language of the teacher. */
export interface ReportTexts {
  readonly title: string;
  readonly learner: string;
  readonly unnamed: (number: number) => string;
  readonly right: string;
  readonly wrong: string;
  readonly undecided: string;
  /** Returns the text of a verdict that only the learner's browser decided. */
  readonly unverified: (verdict: string) => string;
  readonly unanswered: string;
  readonly score: string;
  readonly tasks: string;
  readonly questions: string;
  readonly rightShare: string;
  /** Language as a BCP 47 tag. */
  readonly language: string;
}

/** A question and the texts of its answers. */
export interface ReportQuestion {
  readonly id: string;
  readonly text: string;
  readonly answerText: (answer: number) => string;
}

interface Cell {
  readonly verdict: 'right' | 'wrong' | 'undecided' | 'unanswered';
  /** The verdict as text. */
  readonly judged: string;
  /** The answer as text. */
  readonly text: string;
}

/**
 * Returns the ids of all questions that were asked or answered: those of lessons first, sorted by id, then those that
 * the teacher asked during the class, in order.
 */
export function questionsOf({ questions, learners }: ClassState): string[] {
  const answered = Object.values(learners).flatMap(({ answers }) => Object.keys(answers));
  const ids = [...new Set([...answered, ...questions.map(({ question }) => question.id)])];
  const ofLesson = ids.filter((id) => parseLessonQuestionId(id) !== undefined).toSorted();
  return [...ofLesson, ...questions.map(({ question }) => question.id)];
}

const learnersOf = ({ learners }: ClassState): Learner[] =>
  Object.values(learners).toSorted((a, b) => a.number - b.number);

/** An unverified verdict is reported, but counts as undecided. */
function cellOf({ answers }: Learner, { id, answerText }: ReportQuestion, texts: ReportTexts): Cell {
  const given = answers[id];
  if (!given) return { verdict: 'unanswered', judged: texts.unanswered, text: '' };
  const right = given.verdict?.right ?? null;
  const verdict = right === null ? 'undecided' : right ? 'right' : 'wrong';
  const text = answerText(given.answer);
  return right !== null && given.verdict?.unverified
    ? { verdict: 'undecided', judged: texts.unverified(texts[verdict]), text }
    : { verdict, judged: texts[verdict], text };
}

function scoreOf(cells: readonly Cell[]): string {
  const answered = cells.filter(({ verdict }) => verdict !== 'unanswered');
  return `${answered.filter(({ verdict }) => verdict === 'right').length}/${answered.length}`;
}

const doneTasks = (state: ClassState, { tasks }: Learner): string =>
  `${state.tasks.filter(({ id }) => tasks[id]?.status === 'done').length}/${state.tasks.length}`;

/** Quotes a cell. A spreadsheet would read a leading `=`, `+`, `-` or `@` as a formula, so a quote precedes it. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Returns the report as CSV (RFC 4180) with a byte order mark, which spreadsheets need for UTF-8. */
export function reportCsv(state: ClassState, questions: readonly ReportQuestion[], texts: ReportTexts): string {
  const head = [texts.learner, texts.score, texts.tasks, ...questions.flatMap(({ text }) => [text, ''])];
  const rows = learnersOf(state).map((learner) => {
    const cells = questions.map((question) => cellOf(learner, question, texts));
    return [
      learner.name ?? texts.unnamed(learner.number),
      // A spreadsheet would read a score such as 3/4 as a date.
      scoreOf(cells).replace('/', ' / '),
      doneTasks(state, learner).replace('/', ' / '),
      ...cells.flatMap(({ judged, text }) => [text, judged]),
    ];
  });
  return `\uFEFF${[head, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')}`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');

const style = `:root { color-scheme: light; font: 14px/1.5 system-ui, sans-serif; color: #161a23; }
body { margin: 2rem; } h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
table { border-collapse: collapse; } th, td { border: 1px solid #c6cbd6; padding: .3rem .5rem; text-align: left; }
th { background: #f6f7f9; } .right { background: #ddf3ea; } .wrong { background: #fde7dc; } small { color: #434b5c; }`;

const marks = { right: '✓', wrong: '✗', undecided: '?', unanswered: '–' } as const;

/** Returns the report as an HTML document that contains no scripts and refers to no other files. */
export function reportHtml(state: ClassState, questions: readonly ReportQuestion[], texts: ReportTexts): string {
  const learners = learnersOf(state);
  const table = learners.map((learner) => {
    const cells = questions.map((question) => cellOf(learner, question, texts));
    const shown = cells.map(
      ({ verdict, judged, text }) =>
        `<td class="${verdict}"><span aria-hidden="true">${marks[verdict]}</span> ${escape(judged)}` +
        `${text === '' ? '' : `<br><small>${escape(text)}</small>`}</td>`,
    );
    const name = escape(learner.name ?? texts.unnamed(learner.number));
    const facts = `<td>${scoreOf(cells)}</td><td>${doneTasks(state, learner)}</td>`;
    return `<tr><th scope="row">${name}</th>${facts}${shown.join('')}</tr>`;
  });
  const shares = questions.map((question) => {
    const cells = learners.map((learner) => cellOf(learner, question, texts));
    return `<tr><td>${escape(question.text)}</td><td>${scoreOf(cells)}</td></tr>`;
  });
  const date = new Date(state.startedAt).toISOString().slice(0, 10);
  return `<!doctype html>
<html lang="${escape(texts.language)}">
<meta charset="utf-8">
<title>${escape(texts.title)} ${date}</title>
<style>${style}</style>
<h1>${escape(texts.title)} ${date}</h1>
<table>
<thead><tr><th>${escape(texts.learner)}</th><th>${escape(texts.score)}</th><th>${escape(texts.tasks)}</th>
${questions.map(({ text }) => `<th scope="col">${escape(text)}</th>`).join('\n')}</tr></thead>
<tbody>${table.join('\n')}</tbody>
</table>
<h2>${escape(texts.questions)}</h2>
<table><thead><tr><th>${escape(texts.questions)}</th><th>${escape(texts.rightShare)}</th></tr></thead>
<tbody>${shares.join('\n')}</tbody></table>
</html>
`;
}
