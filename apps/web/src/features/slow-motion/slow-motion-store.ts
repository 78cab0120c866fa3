/** Stores the sync that is played in slow motion. */
import { create } from 'zustand';
import type { NodeSession } from '../../node/run/node-session.ts';
import type { SlowFrame } from './slow-plan.ts';

interface SlowMotionState {
  readonly session: NodeSession | undefined;
  readonly frames: readonly SlowFrame[];
  readonly index: number;
  readonly isPlaying: boolean;
}

export const noSlowMotion: SlowMotionState = { session: undefined, frames: [], index: 0, isPlaying: false };
export const useSlowMotion = create<SlowMotionState>()(() => noSlowMotion);
