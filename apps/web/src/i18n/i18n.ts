/**
 * The interface's languages. English stands beside the component that says it (`messages.en.ts` of each folder) and loads with it; every other
 * language is one file a folder, and all of them together one chunk that loads when it is chosen.
 */
import { setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import { useSyncExternalStore } from 'react';
import { usePreferences } from '../state/preferences.ts';
import type { Message } from './define-messages.ts';

/** BCP 47 tags of the languages there are, with their own names. */
export const languages = { en: 'English', 'zh-CN': '简体中文' } as const;

export type Language = keyof typeof languages;

/** What a text may be given: ICU MessageFormat takes them by name. */
export type MessageValues = Readonly<Record<string, string | number>>;

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });

/** Reads what the engine's own texts have: names of values in braces, and nothing else. */
const compileNames = (text: string): ReturnType<typeof compileMessage> => text.split(/\{(\w+)\}/).map((part, index) => (index % 2 === 1 ? [part] : part));

/** The built page's texts are compiled already (messages-plugin.ts), and what compiles them is left out of it; those of the engine are not. */
if (import.meta.env.DEV) {
  const compiled = new Map<string, ReturnType<typeof compileMessage>>();
  i18n.setMessagesCompiler((text) => {
    const known = compiled.get(text) ?? compileMessage(text);
    compiled.set(text, known);
    return known;
  });
} else i18n.setMessagesCompiler(compileNames);

/** Says `text` in the language that is shown now. For components there is {@link useT}: it follows a change. */
export const translate = ({ id, message }: Message, values?: MessageValues): string => i18n._(id, values, { message });

const subscribe = (listener: () => void): (() => void) => i18n.on('change', listener);

/** The language that is shown. */
export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);

export const currentLanguage = (): Language => (i18n.locale in languages ? (i18n.locale as Language) : 'en');

const translators = new Map<Language, typeof translate>();

/** What says texts in the language that is shown: another function when the language changes, so that memos see it. */
export function useT(): typeof translate {
  const language = useLanguage();
  const known = translators.get(language) ?? ((message, values) => translate(message, values));
  translators.set(language, known);
  return known;
}

/** The language that was chosen, or else the first of the browser's that there is. */
function wantedLanguage(): Language {
  const choice = usePreferences.getState().language;
  if (choice !== 'system') return choice;
  const known = navigator.languages.flatMap((tag): Language[] => (tag.startsWith('zh') ? ['zh-CN'] : tag.startsWith('en') ? ['en'] : []));
  return known[0] ?? 'en';
}

async function show(language: Language): Promise<void> {
  if (language === currentLanguage()) return;
  if (language === 'zh-CN') i18n.load(language, (await import('./zh-CN.ts')).catalogue);
  i18n.activate(language);
  document.documentElement.lang = language;
}

/** Shows the wanted language, now and whenever the choice changes; resolves when the first one is there. */
export async function followLanguage(): Promise<void> {
  usePreferences.subscribe((now, before) => {
    if (now.language !== before.language) void show(wantedLanguage());
  });
  await show(wantedLanguage());
}
