/** Texts by name: English beside the component that says them, other languages as the same names. Knows nothing of which is shown. */

/** A text by its name, with the English for it. */
export interface Message {
  readonly id: string;
  readonly message: string;
}

/** The texts of one folder, in English; `{name}`, plurals and choices are ICU MessageFormat. */
export function defineMessages<const Texts extends Readonly<Record<string, string>>>(area: string, texts: Texts): { readonly [Name in keyof Texts]: Message } {
  const entries = Object.entries(texts).map(([name, message]) => [name, { id: `${area}.${name}`, message }]);
  return Object.fromEntries(entries) as { readonly [Name in keyof Texts]: Message };
}

/** The same texts in another language; the type checker names what is missing. */
export type Translation<Messages> = { readonly [Name in keyof Messages]: string };
