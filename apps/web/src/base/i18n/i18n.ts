/**
 * Translates the interface. The English texts load with each folder (`messages.en.ts`). The texts of another language
 * are one chunk, which loads when the language is selected.
 */
import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { useSyncExternalStore } from 'react';
import { type Language, languages } from '../preferences/languages.ts';
import { usePreferences } from '../preferences/preferences.ts';
import type { Message } from './define-messages.ts';

/** Values for the placeholders of a text. */
export type MessageValues = Readonly<Record<string, string | number>>;

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });

/** Compiles a text that has only named placeholders, as the engine's texts do. */
const compileNames = (text: string): ReturnType<typeof compileMessage> =>
  text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? [part] : part));

/**
 * The build compiles the page's catalogues (messages-plugin.ts), so the page doesn't contain the compiler. Texts of the
 * engine are compiled here.
 */
if (import.meta.env.DEV) {
  const compiled = new Map<string, ReturnType<typeof compileMessage>>();
  i18n.setMessagesCompiler((text) => {
    const known = compiled.get(text) ?? compileMessage(text);
    compiled.set(text, known);
    return known;
  });
} else i18n.setMessagesCompiler(compileNames);

/** Returns a text in the current language. Components use {@link useT}, which re-renders them on a change. */
export const translate = ({ id, message }: Message, values?: MessageValues): string => i18n._(id, values, { message });

const subscribe = (listener: () => void): (() => void) => i18n.on('change', listener);

/** Returns the current language. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);

export const currentLanguage = (): Language => (i18n.locale in languages ? (i18n.locale as Language) : 'en');

const translators = new Map<Language, typeof translate>();

/**
 * Returns a function that translates into the current language. It is a new function after each change of the language,
 * so that memos that depend on it update.
 */
export function useT(): typeof translate {
  const language = useLanguage();
  const known = translators.get(language) ?? ((message, values) => translate(message, values));
  translators.set(language, known);
  return known;
}

/** Returns the chosen language, or else the first supported one of the browser. */
function wantedLanguage(): Language {
  const choice = usePreferences.getState().language;
  if (choice !== 'system') return choice;
  const known = navigator.languages.flatMap((tag): Language[] =>
    tag.startsWith('zh') ? ['zh-CN'] : tag.startsWith('en') ? ['en'] : [],
  );
  return known[0] ?? 'en';
}

async function show(language: Language): Promise<void> {
  if (language === currentLanguage()) return;
  if (language === 'zh-CN') i18n.load(language, (await import('./zh-CN.ts')).catalogue);
  i18n.activate(language);
  document.documentElement.lang = language;
}

/**
 * Switches to the user's language now and after each change of the preference. Resolves when the texts of the current
 * language are loaded.
 */
export async function followLanguage(): Promise<void> {
  usePreferences.subscribe((now, before) => {
    if (now.language !== before.language) void show(wantedLanguage());
  });
  await show(wantedLanguage());
}
