/** Makes the text of a conversation reproducible: masks unstable names and formats values briefly. */
import { stringify } from 'yaml';

/** Replaces each unstable name with a stable word. */
export class StableText {
  readonly #words = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  /** Replaces `text` with `word` from now on. */
  name(text: string, word: string): void {
    this.#words.set(text, word);
  }

  #number(kind: string, text: string): string {
    const known = this.#words.get(text);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const word = `<${kind} ${count}>`;
    this.#words.set(text, word);
    return word;
  }

  apply(text: string): string {
    return (
      text
        .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (uid) => this.#number('uid', uid))
        .replaceAll(/\bsha256:[0-9a-f]{64}\b/g, (digest) => this.#number('digest', digest))
        .replaceAll(/\b[0-9a-f]{64}\b/g, (id) => this.#number('id', id))
        .replaceAll(/\b[0-9a-f]{40,63}…/g, '<id>…')
        // Line numbers change with every edit of the engine, so only the file names are compared.
        .replaceAll(/(path: packages\/\S+\n← +line: |"line":)\d+/g, '$1<line>')
        // Numbers of spans and references change whenever the engine gets a new span or scope.
        .replaceAll(/\b(frame=|span: )\d+/g, '$1<span>')
        .replaceAll(/\b(variablesReference(?:=|: ))[1-9]\d*/g, '$1<reference>')
    );
  }
}

/** Formats a value as indented lines, without undefined members. */
export function show(value: unknown, indent: string): string {
  if (value === undefined) return '';
  const text = stringify(JSON.parse(JSON.stringify(value)), {
    lineWidth: 0,
    flowCollectionPadding: false,
    defaultStringType: 'PLAIN',
    defaultKeyType: 'PLAIN',
  });
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** Formats an object as `name=value name=value`. */
export function inline(value: object): string {
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(
      ([name, member]) =>
        `${name}=${typeof member === 'string' && /^[^\s"]+$/.test(member) ? member : JSON.stringify(member)}`,
    )
    .join(' ');
}
