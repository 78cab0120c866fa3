/** Plays a sync in slow motion: moves the page through its steps. */
import type { SyncRecord } from '@podscope/trace';
import { select, useView } from '../../node/address/view-store.ts';
import type { NodeSession } from '../../node/run/node-session.ts';
import { shownSync } from '../../node/syncs/use-sync-in-view.ts';
import { travelTo } from '../../node/travel/use-travel.ts';
import { noSlowMotion, useSlowMotion } from './slow-motion-store.ts';
import { slowFrames } from './slow-plan.ts';

let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows a frame. If slow motion is playing, it continues from this frame. */
export function goToFrame(index: number): void {
  clearTimeout(timer);
  const { session, frames, isPlaying } = useSlowMotion.getState();
  const frame = frames[index];
  if (!session || !frame) return;
  useSlowMotion.setState({ index });
  // Select the step, so that the timeline and the inspector show it.
  if (frame.step) select(`span:${frame.step.span}`);
  travelTo(session, frame.seq);
  if (!isPlaying) return;
  if (index === frames.length - 1) useSlowMotion.setState({ isPlaying: false });
  else timer = setTimeout(() => goToFrame(index + 1), frame.hold);
}

/** Pauses or continues slow motion. At the last frame, starts again from the first. */
export function setSlowMotionPlaying(isPlaying: boolean): void {
  const { index, frames } = useSlowMotion.getState();
  useSlowMotion.setState({ isPlaying });
  goToFrame(isPlaying && index === frames.length - 1 ? 0 : index);
}

/** Zooms the timeline to a sync, with a tenth of its duration on either side. */
function showAround({ start, end = start }: SyncRecord): void {
  const margin = Math.max(10, (end - start) / 10);
  useView.getState().show({ follow: false, range: { start: start - margin, end: end + margin } });
}

/** Plays the shown sync of a pod. Does nothing for a pod without syncs. */
export function startSlowMotion(session: NodeSession, uid: string): void {
  const pod = session.run.pod(uid);
  const sync = pod && shownSync(session, pod);
  const frames = sync ? slowFrames(sync, session.run.history.events) : [];
  if (!sync || frames.length === 0) return;
  useSlowMotion.setState({ session, frames, index: 0, isPlaying: true });
  showAround(sync);
  goToFrame(0);
}

/** Ends slow motion and returns the page to the present. */
export function endSlowMotion(): void {
  clearTimeout(timer);
  const { session } = useSlowMotion.getState();
  useSlowMotion.setState(noSlowMotion);
  if (!session) return;
  useView.getState().show({ follow: true, range: undefined, selected: undefined });
  travelTo(session, undefined);
}
