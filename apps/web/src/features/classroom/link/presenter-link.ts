/** Connects the presentation with its presenter view in another window of the same browser. */
import type { Lesson } from '@podscope/lessons';
import { presenterAddress } from '../../../node/address/address.ts';
import { continueLesson, goToLessonStep, runLessonStep, useLesson } from '../../lessons/index.ts';

const channelName = 'podscope.presenter';

/** The lesson, step and phase that the presentation shows now. */
export interface Presented {
  readonly lesson: Lesson | undefined;
  readonly step: number;
  readonly phase: 'setting' | 'ready' | 'playing' | 'stopped' | 'over';
}

/** Messages from the presenter view: `ask` requests the current state, `go` moves `by` steps of the lesson. */
type ToPresentation = { readonly type: 'ask' } | { readonly type: 'go'; readonly by: -1 | 0 | 1 };
type FromPresentation = { readonly type: 'shown'; readonly shown: Presented };

/** Key in the session storage of the window that has opened a presenter view. */
const openedKey = 'podscope.presenter';

let link: BroadcastChannel | undefined;

function present(): void {
  if (link) return;
  const channel = new BroadcastChannel(channelName);
  link = channel;
  const tell = (): void => {
    const { lesson, step, phase } = useLesson.getState();
    // Scenarios contain functions, which a message can't carry. The presenter view doesn't play them.
    const sent = lesson && { ...lesson, scenarios: [] };
    // A BroadcastChannel has no target origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    channel.postMessage({ type: 'shown', shown: { lesson: sent, step, phase } } satisfies FromPresentation);
  };
  useLesson.subscribe(tell);
  // Only windows of this page's own origin can send here.
  channel.addEventListener('message', ({ data }: MessageEvent<ToPresentation>) => {
    const { step, phase } = useLesson.getState();
    if (data.type === 'ask') tell();
    else if (data.type === 'go' && data.by !== 0) void goToLessonStep(step + data.by);
    else if (data.type === 'go') void (phase === 'stopped' ? continueLesson() : runLessonStep());
  });
  tell();
}

/** Connects the presenter view again that this window opened before it was reloaded. */
export function resumePresenter(): void {
  try {
    if (sessionStorage.getItem(openedKey) !== null) present();
  } catch {
    // The browser blocks storage: the button connects again.
  }
}

/** Opens the presenter view. @returns false if the browser blocked the window */
export function openPresenter(): boolean {
  present();
  try {
    sessionStorage.setItem(openedKey, 'yes');
  } catch {
    // The browser blocks storage: after a reload the button connects again.
  }
  return window.open(presenterAddress(), 'podscope-presenter', 'popup,width=900,height=700') !== null;
}

/** The presenter view's end of the connection. */
export interface PresenterEnd {
  readonly go: (by: -1 | 0 | 1) => void;
  readonly close: () => void;
}

/** Calls `onShown` whenever the presentation shows something else. */
export function followPresentation(onShown: (shown: Presented) => void): PresenterEnd {
  const channel = new BroadcastChannel(channelName);
  // A BroadcastChannel has no target origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const send = (message: ToPresentation): void => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<FromPresentation | ToPresentation>) => {
    if (data.type === 'shown') onShown(data.shown);
  });
  send({ type: 'ask' });
  return { go: (by) => send({ type: 'go', by }), close: () => channel.close() };
}
