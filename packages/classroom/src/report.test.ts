import { describe, expect, it } from 'vitest';
import type { ClassEvent } from './class-event.ts';
import { applyEvent, emptyClass } from './class-state.ts';
import { questionsOf, type ReportTexts, reportCsv, reportHtml } from './report.ts';

const texts: ReportTexts = {
  title: 'Class',
  learner: 'Name',
  unnamed: (number) => `Learner ${number}`,
  right: 'right',
  wrong: 'wrong',
  undecided: 'not decided',
  unverified: (verdict) => `${verdict}, not verified`,
  unanswered: 'no answer',
  score: 'Right answers',
  tasks: 'Tasks',
  questions: 'Questions',
  rightShare: 'Right answers',
  language: 'en',
};

const events: ClassEvent[] = [
  { type: 'joined', learner: 'a', number: 1, name: '=SUM(A1)<b>' },
  { type: 'joined', learner: 'b', number: 2 },
  { type: 'question', question: { id: 'q', kind: 'choice', text: 'Yes, or "no"?', options: ['Yes', 'No'] } },
  { type: 'answered', learner: 'a', question: 'q', answer: 0 },
  { type: 'judged', learner: 'a', question: 'q', verdict: { right: true } },
  { type: 'answered', learner: 'b', question: 'lesson:crash-loops/first', answer: 1 },
];
const state = events.reduce(
  (now, event, index) => applyEvent(now, { seq: index + 1, at: index, event }),
  emptyClass(0),
);
const questions = questionsOf(state).map((id) => ({
  id,
  text: id === 'q' ? 'Yes, or "no"?' : 'First',
  answerText: (answer: number) => ['Yes', 'No'][answer] ?? '',
}));

describe('the report', () => {
  it('has the questions of lessons first, then those of the teacher', () => {
    expect(questionsOf(state)).toEqual(['lesson:crash-loops/first', 'q']);
  });

  it('quotes cells of the CSV and disarms formulas', () => {
    expect(reportCsv(state, questions, texts).split('\r\n')).toEqual([
      '\uFEFFName,Right answers,Tasks,First,,"Yes, or ""no""?",',
      "'=SUM(A1)<b>,1 / 1,0 / 0,,no answer,Yes,right",
      'Learner 2,0 / 1,0 / 0,No,not decided,,no answer',
      '',
    ]);
  });

  it('does not count a verdict that only the learner’s browser decided', () => {
    const event: ClassEvent = {
      type: 'judged',
      learner: 'b',
      question: 'lesson:crash-loops/first',
      verdict: { right: true, unverified: true },
    };
    const claimed = applyEvent(state, { seq: events.length + 1, at: 9, event });
    expect(reportCsv(claimed, questions, texts)).toContain('Learner 2,0 / 1,0 / 0,No,"right, not verified"');
    expect(reportHtml(claimed, questions, texts)).toContain('<td class="undecided">');
  });

  it('escapes names in the HTML and contains no script', () => {
    const html = reportHtml(state, questions, texts);
    expect(html).toContain('=SUM(A1)&lt;b&gt;');
    expect(html).toContain('Yes, or &quot;no&quot;?');
    expect(html).not.toMatch(/<script|<b>/);
  });
});
