/** Translates texts of the engine. */
import type { Message } from './define-messages.ts';
import type { MessageValues, translate } from './i18n.ts';

/**
 * Translates a text of the engine and fills its placeholders. The engine's texts aren't compiled with the page's
 * catalogues. They use placeholders but no other feature of ICU MessageFormat.
 */
export const translateFilled = (t: typeof translate, message: Message, values: MessageValues): string =>
  t(message, values).replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
