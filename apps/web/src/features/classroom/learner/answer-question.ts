/**
 * Shows a question of the teacher to the learner, and then what happens in the learner's own run. The class server
 * plays the same scene and judges the answer. The verdict of the learner's run is used only for questions without a
 * scene.
 */
import {
  type AskedQuestion,
  askedIn,
  judgeAnswer,
  judgingTime,
  type Question,
  type Verdict,
} from '@podscope/classroom';
import { create } from 'zustand';
import { useView } from '../../../node/address/view-store.ts';
import type { NodeSession } from '../../../node/run/node-session.ts';
import { ownSession, useOpenNode } from '../../../node/run/open-node.ts';
import { nowOf, pass } from '../../../node/run/virtual-time.ts';
import { travelTo } from '../../../node/travel/use-travel.ts';
import { type GivenLesson, openGivenLesson, openLibraryLesson, stepOf, useLesson } from '../../lessons/index.ts';
import { sendToClass } from '../client/class-client.ts';
import { ownLearner, useClass } from '../client/class-store.ts';
import { openScene, podOf, setPaused } from '../client/own-run.ts';

/** `setting`: the scene is being prepared. `judging`: the run continues after the answer. */
type AskedPhase = 'setting' | 'open' | 'judging' | 'judged';

interface AskedState {
  readonly question: Question | undefined;
  readonly phase: AskedPhase;
  readonly answer: number | undefined;
  readonly verdict: Verdict | undefined;
}

const nothingAsked: AskedState = { question: undefined, phase: 'setting', answer: undefined, verdict: undefined };
export const useAsked = create<AskedState>()(() => nothingAsked);

/** The session of the learner's run, and the state of the run when the question was asked. */
let asked: { readonly node: NodeSession; readonly at: AskedQuestion } | undefined;

/** The lesson step that the scene of a question replaced. */
let leftStep:
  | { readonly lesson: string; readonly step: string | undefined; readonly source: GivenLesson | undefined }
  | undefined;

/** Returns the open step of a lesson, which can be opened again. */
function openStep(): typeof leftStep {
  const state = useLesson.getState();
  return state.lesson && { lesson: state.lesson.id, step: stepOf(state)?.id, source: state.source };
}

/** Shows the run after an event, or its present. While another run covers it, the address stays that of the other. */
function showAfter(node: NodeSession, seq: number | undefined): void {
  if (useOpenNode.getState().session === node) travelTo(node, seq);
  else node.run.travel(seq);
}

/** Prepares the scene of a question and shows the question. */
export async function ask(question: Question): Promise<void> {
  if (useAsked.getState().question?.id === question.id) return;
  useAsked.setState({ ...nothingAsked, question });
  const isCurrent = (): boolean => useAsked.getState().question?.id === question.id;
  try {
    if (question.scene) leftStep = openStep() ?? leftStep;
    const node = question.scene ? await openScene(question.scene) : ownSession();
    if (!question.scene) await setPaused(node, true);
    if (!isCurrent()) return;
    const { events, lastSeq } = node.run.history;
    const pod = podOf(node, question.pod ?? useView.getState().pod);
    asked = { node, at: askedIn(question, { events, now: nowOf(node), pod }) };
    // Don't show what happens after the question, even if it happens in the same millisecond.
    if (asked.at.seq < lastSeq) showAfter(node, asked.at.seq);
  } catch {
    asked = undefined;
  }
  if (isCurrent()) useAsked.setState({ phase: 'open' });
}

/** Continues the run until it decides the answer. Returns a verdict of null if the run can't decide it. */
async function decide(answer: number): Promise<Verdict> {
  const undecided: Verdict = { right: null };
  if (!asked) return undecided;
  const { node, at } = asked;
  const { kind } = at.question;
  const verdict = (): Verdict | undefined => judgeAnswer(at, answer, { events: node.run.history.events });
  if (kind === 'choice') return verdict() ?? undecided;
  // A recording doesn't continue.
  if (!node.run.runTime || node.connection.node?.readOnly === true) return undecided;
  const { step, longest } = judgingTime[kind];
  for (let passed = 0; passed < longest; passed += step) {
    const decided = verdict();
    if (decided) return decided;
    await pass(node, step);
  }
  return undecided;
}

/** Shows the class's result of a question, also to a learner who didn't answer it. Another question stays. */
export function showResult(id: string): void {
  const { question: shown } = useAsked.getState();
  const found = useClass.getState().state.questions.find(({ question }) => question.id === id);
  if (shown || !found) return;
  const answer = ownLearner(useClass.getState())?.answers[id]?.answer;
  useAsked.setState({ ...nothingAsked, question: found.question, phase: 'judged', answer });
}

/** Submits an answer. Reports the verdict after the run has decided the answer. */
export async function give(answer: number): Promise<void> {
  const { question, phase } = useAsked.getState();
  if (!question || phase !== 'open') return;
  useAsked.setState({ phase: 'judging', answer });
  sendToClass({ type: 'answered', question: question.id, answer });
  if (asked) showAfter(asked.node, undefined);
  const verdict = await decide(answer).catch((): Verdict => ({ right: null }));
  sendToClass({ type: 'judged', question: question.id, verdict });
  if (useAsked.getState().question?.id === question.id) useAsked.setState({ phase: 'judged', verdict });
  if (asked && !question.scene) await setPaused(asked.node, false).catch(() => undefined);
}

function openAgain({ lesson, step, source }: NonNullable<typeof leftStep>): Promise<void> {
  return source ? openGivenLesson({ ...source, step }) : openLibraryLesson(lesson, step);
}

/** Closes the question, and opens the lesson step again that its scene replaced. */
export function dismissQuestion(): void {
  const { phase, question } = useAsked.getState();
  if (leftStep && asked?.node === ownSession() && useLesson.getState().lesson === undefined)
    void openAgain(leftStep).catch(() => undefined);
  leftStep = undefined;
  if (asked && phase === 'open') showAfter(asked.node, undefined);
  if (asked && phase === 'open' && question && !question.scene)
    void setPaused(asked.node, false).catch(() => undefined);
  asked = undefined;
  useAsked.setState(nothingAsked);
}
