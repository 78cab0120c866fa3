/** What a person set up once and keeps: in the browser's local storage. */
import { create } from 'zustand';
import { createJSONStorage, persist } from 'zustand/middleware';
import type { Language } from '../i18n/i18n.ts';
import { pageStorage } from './page-storage.ts';

export const themes = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themes)[number];

/** How much moves: as the system says, or always or never. */
export const motions = ['system', 'full', 'reduced'] as const;
type MotionChoice = (typeof motions)[number];

export interface Preferences {
  readonly theme: ThemeChoice;
  readonly language: 'system' | Language;
  readonly motion: MotionChoice;
  readonly logWrap: boolean;
  readonly logTimestamps: boolean;
  /** Expressions kept in view at stops. */
  readonly watches: readonly string[];
  /** What to notice in a scenario stands below the pods. */
  readonly areNotesOpen: boolean;
  /** Steps that were done, by lesson. */
  readonly lessonProgress: Readonly<Record<string, readonly string[]>>;
  /** How many of the first-run hints have been seen; none is shown once all have. */
  readonly hintsSeen: number;
}

const initial: Preferences = {
  theme: 'system',
  language: 'system',
  motion: 'system',
  logWrap: true,
  logTimestamps: false,
  watches: [],
  areNotesOpen: true,
  lessonProgress: {},
  hintsSeen: 0,
};

export const usePreferences = create<Preferences>()(
  persist((): Preferences => initial, {
    name: 'podscope.preferences',
    version: 1,
    storage: createJSONStorage(() => pageStorage),
  }),
);

export const setPreference = (patch: Partial<Preferences>): void => void usePreferences.setState(patch);
