/**
 * Masks secrets in pods and events of other clusters, which it recognizes by name and form. Users share kubectl output
 * in tickets and chats, so secrets in it must not get into runs, files or links. A value that may be a secret is
 * masked: values of variables, headers and options are kept only if they are certainly harmless. Fields on which the
 * kubelet's decisions depend (names, ports, images, paths, times) are kept.
 */
import { isRecord } from '@podscope/base';
import { KnownValues, masked } from './known-values.ts';
import { CommandReader } from './shapes/command-words.ts';
import { isSecretName } from './shapes/secret-names.ts';
import { isHarmlessValue, isReference, withoutTokens } from './shapes/secret-shapes.ts';
import { withoutSecrets } from './shapes/secret-texts.ts';
import type { MaskPlace } from './stored-secrets.ts';

type Fields = Readonly<Record<string, unknown>>;

interface TextSource {
  /** Whether the text is from a runtime or program. Container ids in it are kept. */
  readonly isRuntimeText: boolean;
  /** Whether the text may be a line of a structured log, whose sentences are masked like other messages. */
  readonly isLog: boolean;
}

/** The source of values, arguments, annotations and all other texts that users write. */
const userText: TextSource = { isRuntimeText: false, isLog: false };

/**
 * Returns the object or list in a text if it is JSON, for example a manifest in an annotation, or registry credentials;
 * otherwise undefined.
 */
function parseJson(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Returns whether the field contains a message of a runtime or program. Container ids in such messages are kept. */
const isMessage = (key: string): boolean => key === 'message' || key === 'note';
/** Returns whether the field is a map with user-defined values. */
const isUserData = (key: string): boolean =>
  ['volumeAttributes', 'options', 'data', 'stringData', 'binaryData', 'parameters'].includes(key);
/** Returns whether the kubelet's decisions depend on the annotation. */
const isKubeletAnnotation = (key: string): boolean => key.startsWith('kubernetes.io/config.');

/** The length from which a masked value is masked in other texts, too. */
const shortestKnown = 4;
/** The length from which a value is masked inside words, too. */
const shortestInside = 6;
/** How many masked values are remembered at most. */
const mostKnown = 1_000;
/** Matches weak passwords that are also common words in messages. Other texts that contain them aren't masked. */
const common =
  /^(?:secret|password|token|config-?map|container|image|volume|failed|error|default|admin|root|test|user|postgres|guest)$/i;

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** Returns the forms in which URLs, JSON and API objects contain a value. */
const spellingsOf = (secret: string): readonly string[] => [
  encodeURIComponent(secret.toWellFormed()),
  JSON.stringify(secret).slice(1, -1),
  base64(secret),
];

/**
 * Masks a pod and its events. Remembers the masked values, in memory only, and masks them in all other texts, because
 * messages quote arguments.
 */
export class RecognizedSecretMask {
  readonly #known = new KnownValues({ spellings: spellingsOf, shortestInside });
  /** The names in the current object. They are kept, even if a password is equal to one. */
  #names: ReadonlySet<string> = new Set();

  /** Returns an API object, or a list of them, with its secrets masked. */
  object(value: unknown): unknown {
    this.#names = new Set(namesIn(value));
    // The object is processed twice. The first time collects all secrets. The second finds them in places where only
    // their value identifies them.
    this.#walk(value, '', true);
    return this.#walk(value, '', true);
  }

  /** Returns a text with its secrets masked. */
  text(text: string): string {
    return this.#text(text, userText);
  }

  /**
   * Returns a member's text with its secrets masked. The name of the member and the other texts of its object or list
   * show whether the text is a secret.
   */
  member(text: string, { name, holder, within = '' }: MaskPlace): string {
    const isList = Array.isArray(holder) || holder instanceof Set;
    const texts: Fields = isList ? {} : Object.fromEntries(Object.entries(holder).filter(isTextField));
    const { key } = texts;
    // CRI calls the name of a variable its key.
    const variable = key !== undefined && texts['value'] !== undefined ? { name: key } : {};
    const around = isList
      ? Array.from<unknown>(holder as Iterable<unknown>).map((item, at) => (String(at) === name ? text : item))
      : { ...variable, ...texts, [name]: text };
    const clean = this.#walk(around, within, false) as Fields;
    const shown = clean[name];
    return typeof shown === 'string' ? shown : masked;
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

  #text(text: string, { isRuntimeText, isLog }: TextSource): string {
    const data = parseJson(text);
    if (data !== undefined) {
      const isManifest = 'kind' in data && 'apiVersion' in data;
      const clean = JSON.stringify(isManifest ? this.#walk(data, '', false) : this.#data(data, '', isLog));
      return clean === JSON.stringify(data) ? text : clean;
    }
    return withoutSecrets(this.#known.replaceIn(text), this.#take, { isRuntimeText });
  }

  /** Masks a user-defined value unless it is certainly harmless. */
  #value(name: string, value: string): string {
    if (value === '' || isReference(value) || /^(?:true|false)$/i.test(value)) return value;
    if (isSecretName(name)) return this.#take(value);
    if (parseJson(value) !== undefined) return this.#text(value, userText);
    // A text that begins with a dash may be program options, for example -Xmx512m, so its content is checked.
    const isOptions = /^-{1,2}[A-Za-z]/.test(value) && !value.includes('\n');
    return (isOptions || isHarmlessValue(value)) && this.#text(value, userText) === value ? value : this.#take(value);
  }

  /**
   * Masks data that users define. If `name` is the name of a secret, every value is masked.
   * @param isLog whether the data is a line of a structured log or one of its messages
   */
  #data(value: unknown, name: string, isLog: boolean): unknown {
    if (Array.isArray(value))
      return isWordList(name) ? this.#words(value) : value.map((item) => this.#data(item, name, isLog));
    if (isRecord(value))
      return (
        this.#pair(value) ??
        Object.fromEntries(
          Object.entries(value).map(([key, item]) => [this.#key(key), this.#data(item, key, isLog && isLogField(key))]),
        )
      );
    if (typeof value === 'string')
      return isLog && isLogField(name) && isSentence(value) ? this.#text(value, userText) : this.#value(name, value);
    return typeof value === 'number' && isSecretName(name) ? masked : value;
  }

  /** Masks tokens in a key, because the keys of some maps are secrets. */
  readonly #key = (key: string): string => withoutTokens(key, this.#take);

  /** Masks an object that has a name and a value: a variable, header or option. Returns undefined for other objects. */
  #pair(fields: Fields): Fields | undefined {
    const { name, value } = fields;
    if (typeof name !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
    const clean = typeof value === 'string' ? this.#value(name, value) : isSecretName(name) ? masked : value;
    return clean === value ? fields : { ...fields, value: clean };
  }

  /**
   * Masks the words of a command line.
   * @param command the words before `words`
   */
  #words(words: readonly unknown[], command: readonly unknown[] = []): unknown[] {
    const reader = new CommandReader(this.#take);
    for (const word of command) if (typeof word === 'string') reader.read(word);
    return words.map((word) => (typeof word === 'string' ? this.#text(reader.read(word) ?? word, userText) : word));
  }

  #annotation(key: string, text: string): string {
    if (isKubeletAnnotation(key) || text === '') return text;
    if (isSecretName(key)) return this.#take(text);
    // A long text, or one with several lines, can't be checked if its format is unknown, so all of it is masked.
    if (parseJson(text) === undefined && (text.includes('\n') || text.length > 300 || /^\s*[[{]/.test(text)))
      return masked;
    return this.#text(text, userText);
  }

  /** Masks a label. The result is a valid label value. */
  #label(key: string, text: string): string {
    const isSecret =
      (isSecretName(key.replace(/^.*\//, '')) && !isHarmlessLabel(text)) || withoutTokens(text, this.#take) !== text;
    return isSecret ? 'masked' : text;
  }

  /**
   * Masks an API object or a part of it.
   * @param hasLogs whether messages in it may be lines of a log. In user data and in quoted manifests they aren't.
   */
  #walk(value: unknown, key: string, hasLogs: boolean): unknown {
    if (typeof value === 'string')
      return this.#text(value, { isRuntimeText: isMessage(key), isLog: hasLogs && isMessage(key) });
    if (Array.isArray(value))
      return isWordList(key) ? this.#words(value) : value.map((item) => this.#walk(item, key, hasLogs));
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
        if (name === 'args' && Array.isArray(item)) return [name, this.#words(item, command)];
        return [name, this.#walk(item, name, hasLogs && !isTexts)];
      }),
    );
  }
}

/** Returns whether the field of a structured log contains a message. */
const isLogField = (key: string): boolean => /^(?:msg|message|error|err)$/i.test(key);

/** Returns whether a text has at least three ordinary words, as messages of programs have. */
const isSentence = (text: string): boolean => (text.match(/(?<!\S)[a-z]{2,14}(?!\S)/gi)?.length ?? 0) >= 3;

const isTextField = ([, value]: readonly [string, unknown]): boolean => typeof value === 'string';

const isWordList = (key: string): boolean => key === 'args' || key === 'command';

/** Returns whether the field identifies an object. */
const isStructure = (key: string): boolean =>
  /^(?:name|namespace|generateName|uid|image|imageID|imageRef|containerID|containerId|podSandboxId|nodeName|kind|apiVersion|fieldPath|reason|type|resourceVersion|key|secretName)$|(?:IP|Time|Timestamp)$/.test(
    key,
  );

/** Returns whether a label value is a word or a version. */
const isHarmlessLabel = (text: string): boolean => /^(?:[a-z]+(?:[-.][a-z]+)*|v?\d+(?:\.\d+)*)$/i.test(text);

/** Returns the names of an object and of its parts. */
function* namesIn(value: unknown): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item);
  else if (isRecord(value)) {
    const { name, namespace, image, value: text } = value;
    // An object with a name and a value is a variable. Its name doesn't identify an object.
    for (const each of [name, namespace, image]) if (typeof each === 'string' && text === undefined) yield each;
    for (const item of Object.values(value)) yield* namesIn(item);
  }
}

/** Returns a text after masking its secrets. */
export const maskText = (text: string): string => new RecognizedSecretMask().text(text);

/** Returns any value of an API object after masking its secrets. */
export const maskValue = (value: unknown): unknown => new RecognizedSecretMask().object(value);
