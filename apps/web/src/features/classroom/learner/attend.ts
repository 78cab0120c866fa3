/**
 * Takes part in a class as a learner: follows the teacher's screen, performs tasks, answers questions, and reports to
 * the teacher.
 */
import type { Learner, NumberedEvent } from '@podscope/classroom';
import { pageStorage } from '../../../base/preferences/page-storage.ts';
import { addressedClass } from '../../../node/address/address.ts';
import type { ClassAddress } from '../../../node/address/source-address.ts';
import { ownSession } from '../../../node/run/open-node.ts';
import { useLesson } from '../../lessons/index.ts';
import { type Identity, openClass, sendRun, sendToClass } from '../client/class-client.ts';
import { ownLearner, useClass } from '../client/class-store.ts';
import { publishRun } from '../client/publish-run.ts';
import { applyView, expectRun, showRunPart, stopShowing } from '../client/show-run.ts';
import { ask, dismissQuestion, showResult, useAsked } from './answer-question.ts';
import { performTasks, setClassBreakpoints, tasksPerformed } from './perform-tasks.ts';
import { reportPlace } from './report-place.ts';

type JoinAddress = Extract<ClassAddress, { role: 'learner' }>;

/** The key of the stored identity. It names the server, so that no other server receives the identity. */
const storageKey = ({ code, server = '' }: JoinAddress): string => `podscope.class.${code}${server && `@${server}`}`;

/** Returns this browser's identity in the class, which is stored for reloads; undefined if it hasn't joined yet. */
export function keptIdentity(address: JoinAddress): Identity | undefined {
  try {
    const kept: unknown = JSON.parse(pageStorage.getItem(storageKey(address)) ?? 'null');
    if (typeof kept !== 'object' || kept === null || !('learner' in kept) || !('key' in kept)) return undefined;
    const { learner, key } = kept;
    return typeof learner === 'string' && typeof key === 'string' ? { learner, key } : undefined;
  } catch {
    return undefined;
  }
}

const forget = (address: JoinAddress): void => pageStorage.removeItem(storageKey(address));

/** Stops publishing the learner's run. */
let stopPublishing: (() => void) | undefined;

/** Sends the learner's run to the class while the teacher watches it. */
function followWatch(restart: boolean): void {
  const isWatched = ownLearner(useClass.getState())?.isWatched === true;
  if (restart || !isWatched) {
    stopPublishing?.();
    stopPublishing = undefined;
  }
  if (isWatched) stopPublishing ??= publishRun(ownSession, sendRun);
}

/** Resolves when the lesson player is neither preparing nor playing a step. */
function lessonRests(): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      const { phase, lesson } = useLesson.getState();
      if (lesson && (phase === 'setting' || phase === 'playing')) return;
      stop();
      resolve();
    };
    const stop = useLesson.subscribe(check);
    check();
  });
}

const shownView = (): string | undefined => useClass.getState().state.sharedView?.view;

let lookedAt: string | undefined;
function followLook(): void {
  const { sharedView } = useClass.getState().state;
  if (sharedView) {
    expectRun(sharedView.run);
    if (lookedAt === sharedView.run) applyView(sharedView.view);
    lookedAt = sharedView.run;
  } else if (lookedAt !== undefined) {
    lookedAt = undefined;
    stopShowing();
  }
}

const isOpen = (question: string): boolean =>
  useClass.getState().state.questions.some((each) => each.isOpen && each.question.id === question);

function followQuestion(): void {
  const { state, you } = useClass.getState();
  const open = state.questions.findLast(({ isOpen }) => isOpen);
  const answers = ownLearner({ state, you })?.answers ?? {};
  if (open && answers[open.question.id] === undefined)
    void tasksPerformed().then(async () => {
      if (isOpen(open.question.id)) await ask(open.question);
    });
  const { question, phase } = useAsked.getState();
  // Hide a question that the teacher closed before the learner answered it.
  if (question && phase !== 'judging' && phase !== 'judged' && open?.question.id !== question.id) dismissQuestion();
}

let pointedSeq = 0;
let breakpoints: Learner['breakpoints'] = [];
function followTeacher(event: NumberedEvent | undefined): void {
  const own = ownLearner(useClass.getState());
  // Another run, or withdrawn consent, also removes the breakpoints.
  if (event?.event.type === 'breakpointsSet' || (own && own.breakpoints.length === 0 && breakpoints.length > 0))
    void setClassBreakpoints().catch(() => undefined);
  breakpoints = own?.breakpoints ?? [];
  if (own?.pointed && own.consent === 'given' && own.pointed.seq > pointedSeq && event?.event.type === 'pointed') {
    pointedSeq = own.pointed.seq;
    applyView(own.pointed.view);
  }
}

/**
 * Joins the class in the page's address.
 * @param name the learner's name; undefined to join without a name
 */
export function attend(name: string | undefined): void {
  if (addressedClass?.role !== 'learner') return;
  const address = addressedClass;
  let isFresh = true;
  let stopReporting: (() => void) | undefined;
  openClass({
    address,
    name,
    identity: keptIdentity(address),
    onIdentity: (identity) => pageStorage.setItem(storageKey(address), JSON.stringify(identity)),
    onRun: (part) => void lessonRests().then(() => showRunPart(part, shownView)),
    onWelcome: () => {
      stopReporting ??= reportPlace();
      followWatch(true);
    },
    onChange: (event) => {
      if (event?.event.type === 'ended') {
        forget(address);
        stopPublishing?.();
        stopReporting?.();
        stopShowing();
        dismissQuestion();
        return;
      }
      followLook();
      performTasks(isFresh);
      isFresh = false;
      followQuestion();
      if (event?.event.type === 'revealed') showResult(event.event.question);
      followWatch(event?.event.type === 'watched');
      followTeacher(event);
    },
  });
}

/** Leaves the class. The teacher's list then removes the learner. */
export function leaveClass(): void {
  if (addressedClass?.role === 'learner') forget(addressedClass);
  sendToClass({ type: 'leave' });
}
