/** Stores the user's preferences in the browser's local storage. */
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { Language } from './languages.ts';
import { pageStorage } from './page-storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themes)[number];

/** Whether the page animates changes: `system` follows the system's setting, `full` means always, `reduced` never. */
export const motions = ['system', 'full', 'reduced'] as const;
type MotionChoice = (typeof motions)[number];

/** The contrast: `system` follows the system's setting, `more` is always high. */
export const contrasts = ['system', 'more'] as const;
type ContrastChoice = (typeof contrasts)[number];

export interface Preferences {
  readonly theme: ThemeChoice;
  readonly language: 'system' | Language;
  readonly motion: MotionChoice;
  readonly contrast: ContrastChoice;
  /** Order of the pod list; deleted pods always come last. */
  readonly podOrder: 'name' | 'status' | 'restarts' | 'age';
  readonly hidesDeleted: boolean;
  readonly logWrap: boolean;
  readonly logTimestamps: boolean;
  /** Watch expressions. */
  readonly watches: readonly string[];
  /** True while the notes on a scenario are open. */
  readonly areNotesOpen: boolean;
  /** Completed steps by lesson id. */
  readonly lessonProgress: Readonly<Record<string, readonly string[]>>;
  /** Number of first-run hints that the user has seen. */
  readonly hintsSeen: number;
  /** How the Steps tab shows a sync. */
  readonly stepsView: 'tree' | 'waterfall';
  /** Level down to which the tree of steps is initially open. */
  readonly stepDepth: 'kubelet' | 'kuberuntime' | 'functions' | 'cri' | 'all';
  /** True to hide steps that weren't needed. */
  readonly hideStepsNotRun: boolean;
}

const initial: Preferences = {
  theme: 'system',
  language: 'system',
  motion: 'system',
  contrast: 'system',
  podOrder: 'name',
  hidesDeleted: false,
  logWrap: true,
  logTimestamps: false,
  watches: [],
  areNotesOpen: true,
  lessonProgress: {},
  hintsSeen: 0,
  stepsView: 'tree',
  stepDepth: 'kuberuntime',
  hideStepsNotRun: false,
};

export const usePreferences = create<Preferences>()(
  persist((): Preferences => initial, {
    name: 'podscope.preferences',
    version: 1,
    storage: createJSONStorage(() => pageStorage),
  }),
);

export const setPreference = (patch: Partial<Preferences>): void => void usePreferences.setState(patch);
