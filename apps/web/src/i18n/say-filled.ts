/** Says texts of the engine, which has its own names and English for them. */
import type { Message } from './define-messages.ts';
import type { MessageValues, translate } from './i18n.ts';

/**
 * The engine's texts are not compiled with the page's own: in English they come with their placeholders. They have nothing else of ICU
 * MessageFormat, so that filling those in is all there is to do.
 */
export const sayFilled = (t: typeof translate, message: Message, values: MessageValues): string =>
  t(message, values).replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
