/**
 * Masks secrets in pods and events of other clusters; recognizes them by name and shape. kubectl output is shared in
 * tickets and chats, so its secrets must not get into runs, files or links. A value that may be a secret is treated as
 * one: values of variables, headers and options stay only if they are certainly harmless. Fields that the kubelet's
 * decisions depend on (names, ports, images, paths, times) stay.
 */
import { isRecord } from '@podscope/base';
import { KnownValues, masked } from './known-values.ts';
import { CommandReader } from './shapes/command-words.ts';
import { isSecretName } from './shapes/secret-names.ts';
import { isHarmlessValue, isReference, withoutTokens } from './shapes/secret-shapes.ts';
import { withoutSecrets } from './shapes/secret-texts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Returns the object or list if the text is JSON, such as a manifest in an annotation or registry credentials. */
function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Returns whether the field has a message of a runtime or program, in which container ids stay. */
const isMessage = (key: string): boolean => key === 'message' || key === 'note';
/** Returns whether the field is a map with user-defined values. */
const isUserData = (key: string): boolean =>
  ['volumeAttributes', 'options', 'data', 'stringData', 'binaryData', 'parameters'].includes(key);
/** Returns whether it is an annotation that the kubelet's decisions depend on. */
const isKubeletAnnotation = (key: string): boolean => key.startsWith('kubernetes.io/config.');

/** Shortest masked value that is also masked in other texts. */
const shortestKnown = 4;
/** Shortest value that is also masked inside of a word. */
const shortestInside = 6;
/** Largest number of remembered values. */
const mostKnown = 1_000;
/** Weak passwords that are also common words in messages; they aren't masked elsewhere. */
const common =
  /^(?:secret|password|token|config-?map|container|image|volume|failed|error|default|admin|root|test|user|postgres|guest)$/i;

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Returns how URLs, JSON and API objects write a value. */
const spellingsOf = (secret: string): readonly string[] => [
  encodeURIComponent(secret.toWellFormed()),
  JSON.stringify(secret).slice(1, -1),
  base64(secret),
];

/**
 * Masks one pod and its events. It remembers the masked values, in memory only, and masks them in all other texts as
 * well, because messages quote arguments.
 */
export class RecognizedSecretMask {
  readonly #known = new KnownValues({ spellings: spellingsOf, shortestInside });
  /** Names in the current object, which stay even if a password is equal. */
  #names: ReadonlySet<string> = new Set();

  /** Returns an API object, or a list of them, with its secrets masked. */
  object(value: unknown): unknown {
    this.#names = new Set(namesIn(value));
    // The first pass collects all secrets; the second finds them where only their value identifies them.
    this.#walk(value, '');
    return this.#walk(value, '');
  }

  /** Returns a text with its secrets masked. */
  text(text: string): string {
    return this.#text(text, false);
  }

  readonly #take = (secret: string): string => {
    const isDistinctive =
      secret.length >= shortestKnown &&
      !secret.includes(masked) &&
      !common.test(secret) &&
      !this.#names.has(secret) &&
      !isReference(secret);
    if (isDistinctive && this.#known.size < mostKnown) this.#known.add(secret);
    return masked;
  };

  #text(text: string, isRuntimeText: boolean): string {
    const data = parseJson(text);
    if (data !== undefined) {
      const clean = JSON.stringify('kind' in data && 'apiVersion' in data ? this.#walk(data, '') : this.#data(data));
      return clean === JSON.stringify(data) ? text : clean;
    }
    return withoutSecrets(this.#known.replaceIn(text), this.#take, { isRuntimeText });
  }

  /** Masks a user-defined value unless it is certainly harmless. */
  #value(name: string, value: string): string {
    if (value === '' || isReference(value) || /^(?:true|false)$/i.test(value)) return value;
    if (isSecretName(name)) return this.#take(value);
    if (parseJson(value) !== undefined) return this.#text(value, false);
    // Program options such as -Xmx512m are checked by their content.
    const isOptions = /^-{1,2}[A-Za-z]/.test(value) && !value.includes('\n');
    return (isOptions || isHarmlessValue(value)) && this.#text(value, false) === value ? value : this.#take(value);
  }

  /** Masks user-defined data, including every value whose name is that of a secret. */
  #data(value: unknown, name = ''): unknown {
    if (Array.isArray(value))
      return isWordList(name) ? this.#words(value) : value.map((item) => this.#data(item, name));
    if (isRecord(value))
      return (
        this.#pair(value) ??
        Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#key(key), this.#data(item, key)]))
      );
    if (typeof value === 'string') return this.#value(name, value);
    return typeof value === 'number' && isSecretName(name) ? masked : value;
  }

  /** Masks tokens in a key, because some maps are keyed by secrets. */
  readonly #key = (key: string): string => withoutTokens(key, this.#take);

  /** Masks an object with name and value: a variable, header or option. Returns undefined for other objects. */
  #pair(fields: Fields): Fields | undefined {
    const { name, value } = fields;
    if (typeof name !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
    const clean = typeof value === 'string' ? this.#value(name, value) : isSecretName(name) ? masked : value;
    return clean === value ? fields : { ...fields, value: clean };
  }

  /** Masks the words of a command line. @param command words that precede `words` */
  #words(words: readonly unknown[], command: readonly unknown[] = []): unknown[] {
    const reader = new CommandReader(this.#take);
    for (const word of command) if (typeof word === 'string') reader.read(word);
    return words.map((word) => (typeof word === 'string' ? this.#text(reader.read(word) ?? word, false) : word));
  }

  #annotation(key: string, text: string): string {
    if (isKubeletAnnotation(key) || text === '') return text;
    if (isSecretName(key)) return this.#take(text);
    // Long or multi-line text in an unknown format can't be checked.
    if (parseJson(text) === undefined && (text.includes('\n') || text.length > 300 || /^\s*[[{]/.test(text)))
      return masked;
    return this.#text(text, false);
  }

  /** Masks a label; the result must be a valid label value. */
  #label(key: string, text: string): string {
    const isSecret =
      (isSecretName(key.replace(/^.*\//, '')) && !isHarmlessLabel(text)) || withoutTokens(text, this.#take) !== text;
    return isSecret ? 'masked' : text;
  }

  #walk(value: unknown, key: string): unknown {
    if (typeof value === 'string') return this.#text(value, isMessage(key));
    if (Array.isArray(value)) return isWordList(key) ? this.#words(value) : value.map((item) => this.#walk(item, key));
    if (!isRecord(value)) return value;
    const pair = this.#pair(value);
    if (pair) return pair;
    const isTexts = key === 'annotations' || key === 'labels' || isUserData(key);
    const command = Array.isArray(value['command']) ? value['command'] : [];
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => {
        if (isTexts && typeof item === 'string') {
          if (key === 'labels') return [name, this.#label(name, item)];
          return [name, key === 'annotations' ? this.#annotation(name, item) : this.#value(name, item)];
        }
        if (isStructure(name) && typeof item === 'string') return [name, withoutTokens(item, this.#take)];
        return [name, name === 'args' && Array.isArray(item) ? this.#words(item, command) : this.#walk(item, name)];
      }),
    );
  }
}

const isWordList = (key: string): boolean => key === 'args' || key === 'command';

/** Returns whether the field identifies an object. */
const isStructure = (key: string): boolean =>
  /^(?:name|namespace|generateName|uid|image|imageID|containerID|nodeName|kind|apiVersion|fieldPath|reason|type|resourceVersion|key|secretName)$|(?:IP|Time|Timestamp)$/.test(
    key,
  );

/** Returns whether a label value is a word or a version. */
const isHarmlessLabel = (text: string): boolean => /^(?:[a-z]+(?:[-.][a-z]+)*|v?\d+(?:\.\d+)*)$/i.test(text);

/** Returns the names of an object and of its parts. */
function* namesIn(value: unknown): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item);
  else if (isRecord(value)) {
    const { name, namespace, image, value: text } = value;
    // An object with name and value is a variable; its name isn't that of an object.
    for (const each of [name, namespace, image]) if (typeof each === 'string' && text === undefined) yield each;
    for (const item of Object.values(value)) yield* namesIn(item);
  }
}

/** Returns a text with its secrets masked. */
export const maskText = (text: string): string => new RecognizedSecretMask().text(text);

/** Returns any value of an API object with its secrets masked. */
export const maskValue = (value: unknown): unknown => new RecognizedSecretMask().object(value);
