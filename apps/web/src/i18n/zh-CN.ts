/** Everything the interface says, in simplified Chinese. Kubernetes', CRI's and Docker's own terms stay as they are. */
import { tabTitleMessages } from '../shell/messages.en.ts';
import * as shell from '../shell/messages.zh-CN.ts';
import type { Message, Translation } from './i18n.ts';

/** Binds translations to the names of their texts. */
function bind<Messages extends Readonly<Record<string, Message>>>(messages: Messages, texts: Translation<Messages>): (readonly [string, string])[] {
  return Object.entries(messages).map(([name, { id }]) => [id, texts[name as keyof Messages]] as const);
}

export const catalogue: Readonly<Record<string, string>> = Object.fromEntries([...bind(tabTitleMessages, shell.tabTitles)]);
