/** What a person set up once and keeps: in the browser's local storage. */
import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Language } from '../i18n/i18n.ts';

export type ThemeChoice = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly theme: ThemeChoice;
  readonly language: 'system' | Language;
  readonly logWrap: boolean;
  readonly logTimestamps: boolean;
  /** Expressions kept in view at stops. */
  readonly watches: readonly string[];
}

export const usePreferences = create<Preferences>()(
  persist((): Preferences => ({ theme: 'system', language: 'system', logWrap: true, logTimestamps: false, watches: [] }), {
    name: 'podscope.preferences',
    version: 1,
  }),
);

export const setPreference = (patch: Partial<Preferences>): void => void usePreferences.setState(patch);
