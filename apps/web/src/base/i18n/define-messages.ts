/**
 * Defines message catalogues: English in each folder's `messages.en.ts`, other languages beside it. Doesn't depend on
 * the current language.
 */

/** A text with its id and its English wording. */
export interface Message {
  readonly id: string;
  readonly message: string;
}

/**
 * Returns the English messages of one folder; the id of a message is `area.name`. Placeholders, plurals and choices are
 * ICU MessageFormat.
 */
export function defineMessages<const Texts extends Readonly<Record<string, string>>>(
  area: string,
  texts: Texts,
): { readonly [Name in keyof Texts]: Message } {
  const entries = Object.entries(texts).map(([name, message]) => [name, { id: `${area}.${name}`, message }]);
  return Object.fromEntries(entries) as { readonly [Name in keyof Texts]: Message };
}

/** Translated texts by message id. */
export type Catalogue = Readonly<Record<string, string>>;

/** Returns the translations of `messages` by id. The type checker reports missing names and names that don't exist. */
export function translateMessages<const Messages extends Readonly<Record<string, Message>>>(
  messages: Messages,
  texts: { readonly [Name in keyof Messages]: string },
): Catalogue {
  return Object.fromEntries(
    Object.entries(messages).map(([name, { id }]) => [id, texts[name as keyof Messages]] as const),
  );
}
