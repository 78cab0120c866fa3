/**
 * Takes out of pods and events what must not be kept or shown. What kubectl prints is handed around in tickets and chats; what comes from there
 * stays out of runs, files and links. Where a value may be a secret it is taken for one: the literal values of variables, headers and the like
 * stay only if they surely are none. What the kubelet decides by (names, ports, images, paths, times) stays.
 */
import { CommandReader } from './mask/command-words.ts';
import { isSecretName } from './mask/secret-names.ts';
import { isHarmlessValue, isReference, masked, withoutTokens } from './mask/secret-shapes.ts';
import { withoutSecrets } from './mask/secret-texts.ts';

export { masked } from './mask/secret-shapes.ts';

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object or list that a text is in JSON, if it is one: a manifest in an annotation, credentials of a registry. */
function dataIn(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

/** Words of a runtime and of programs; ids of containers stay. */
const isMessage = (key: string): boolean => key === 'message' || key === 'note';
/** Maps whose values are somebody's own. */
const isOwnData = (key: string): boolean => ['volumeAttributes', 'options', 'data', 'stringData', 'binaryData', 'parameters'].includes(key);
/** Annotations of the kubelet, which its decisions depend on. */
const isKubelets = (key: string): boolean => key.startsWith('kubernetes.io/config.');

/** Values that were taken out, also inside of other texts, from so many letters on. */
const shortestKnown = 4;
/** Words that are so short may be part of others. */
const shortestInside = 6;
/** So many are remembered. */
const mostKnown = 1_000;
/** Bad passwords, and words of messages. */
const common = /^(?:secret|password|token|config-?map|container|image|volume|failed|error|default|admin|root|test|user|postgres|guest)$/i;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** For one pod and its events. Remembers, in memory alone, what it has taken out, and takes that out wherever else it stands: messages quote arguments. */
export class Masker {
  readonly #known = new Set<string>();
  /** All of them, and those in other spellings; made anew when there are more. */
  #pattern: RegExp | undefined;
  #patternSize = 0;
  /** Names of the object that is read: these stay, even where a password is the same. */
  #names: ReadonlySet<string> = new Set();

  /** An object of the API, or a list of them, without what is secret. */
  object(value: unknown): unknown {
    this.#names = new Set(namesIn(value));
    // Once to know all secrets, and once to find them where they look like nothing.
    this.#walk(value, '');
    return this.#walk(value, '');
  }

  /** A text of any kind. */
  text(text: string): string {
    return this.#text(text, false);
  }

  readonly #take = (secret: string): string => {
    const isTelling = secret.length >= shortestKnown && !secret.includes(masked) && !common.test(secret) && !this.#names.has(secret) && !isReference(secret);
    if (isTelling && this.#known.size < mostKnown) this.#known.add(secret);
    return masked;
  };

  #withoutKnown(text: string): string {
    if (this.#known.size === 0) return text;
    if (!this.#pattern || this.#patternSize !== this.#known.size) {
      const spellings = [...this.#known].flatMap((secret) => {
        const others = [encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1), base64(secret)];
        return [...new Set([secret, ...others])].map((spelling) =>
          spelling.length >= shortestInside ? escaped(spelling) : `(?<![\\w])${escaped(spelling)}(?![\\w])`,
        );
      });
      this.#pattern = new RegExp(spellings.toSorted((a, b) => b.length - a.length).join('|'), 'g');
      this.#patternSize = this.#known.size;
    }
    return text.replaceAll(this.#pattern, masked);
  }

  #text(text: string, isRuntimeText: boolean): string {
    const data = dataIn(text);
    if (data !== undefined) {
      const clean = JSON.stringify('kind' in data && 'apiVersion' in data ? this.#walk(data, '') : this.#data(data));
      return clean === JSON.stringify(data) ? text : clean;
    }
    return withoutSecrets(this.#withoutKnown(text), this.#take, { isRuntimeText });
  }

  /** A value that is somebody's own: it stays when it surely is no secret. */
  #value(name: string, value: string): string {
    if (value === '' || isReference(value) || /^(?:true|false)$/i.test(value)) return value;
    if (isSecretName(name)) return this.#take(value);
    if (dataIn(value) !== undefined) return this.#text(value, false);
    // Options of a program are read as what they are: -Xmx512m.
    const isOptions = /^-{1,2}[A-Za-z]/.test(value) && !value.includes('\n');
    return (isOptions || isHarmlessValue(value)) && this.#text(value, false) === value ? value : this.#take(value);
  }

  /** Somebody's own data, where whatever has a secret's name is one. */
  #data(value: unknown, name = ''): unknown {
    if (Array.isArray(value)) return isWordList(name) ? this.#words(value) : value.map((item) => this.#data(item, name));
    if (isRecord(value)) return this.#pair(value) ?? Object.fromEntries(Object.entries(value).map(([key, item]) => [this.#key(key), this.#data(item, key)]));
    if (typeof value === 'string') return this.#value(name, value);
    return typeof value === 'number' && isSecretName(name) ? masked : value;
  }

  /** Some maps are keyed by secrets. */
  readonly #key = (key: string): string => withoutTokens(key, this.#take);

  /** A variable, header or option: a name with its value. */
  #pair(fields: Fields): Fields | undefined {
    const { name, value } = fields;
    if (typeof name !== 'string' || (typeof value !== 'string' && typeof value !== 'number')) return undefined;
    const clean = typeof value === 'string' ? this.#value(name, value) : isSecretName(name) ? masked : value;
    return clean === value ? fields : { ...fields, value: clean };
  }

  /** A command, or what follows it. */
  #words(words: readonly unknown[], command: readonly unknown[] = []): unknown[] {
    const reader = new CommandReader(this.#take);
    for (const word of command) if (typeof word === 'string') reader.read(word);
    return words.map((word) => (typeof word === 'string' ? this.#text(reader.read(word) ?? word, false) : word));
  }

  #annotation(key: string, text: string): string {
    if (isKubelets(key) || text === '') return text;
    if (isSecretName(key)) return this.#take(text);
    // Part of a manifest, or of a configuration, that nobody can take apart.
    if (dataIn(text) === undefined && (text.includes('\n') || text.length > 300 || /^\s*[[{]/.test(text))) return masked;
    return this.#text(text, false);
  }

  /** A label has to stay one. */
  #label(key: string, text: string): string {
    const isSecret = (isSecretName(key.replace(/^.*\//, '')) && !isHarmlessLabel(text)) || withoutTokens(text, this.#take) !== text;
    return isSecret ? 'masked' : text;
  }

  #walk(value: unknown, key: string): unknown {
    if (typeof value === 'string') return this.#text(value, isMessage(key));
    if (Array.isArray(value)) return isWordList(key) ? this.#words(value) : value.map((item) => this.#walk(item, key));
    if (!isRecord(value)) return value;
    const pair = this.#pair(value);
    if (pair) return pair;
    const isTexts = key === 'annotations' || key === 'labels' || isOwnData(key);
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

/** Fields that objects are told apart by. */
const isStructure = (key: string): boolean =>
  /^(?:name|namespace|generateName|uid|image|imageID|containerID|nodeName|kind|apiVersion|fieldPath|reason|type|resourceVersion|key|secretName)$|(?:IP|Time|Timestamp)$/.test(
    key,
  );

/** Versions and the like, which labels are made of. */
const isHarmlessLabel = (text: string): boolean => /^(?:[a-z]+(?:[-.][a-z]+)*|v?\d+(?:\.\d+)*)$/i.test(text);

/** What the object and its parts are called. */
function* namesIn(value: unknown): Iterable<string> {
  if (Array.isArray(value)) for (const item of value) yield* namesIn(item);
  else if (isRecord(value)) {
    const { name, namespace, image, value: text } = value;
    // The name of a variable is one; what it is set to is not looked at here.
    for (const each of [name, namespace, image]) if (typeof each === 'string' && text === undefined) yield each;
    for (const item of Object.values(value)) yield* namesIn(item);
  }
}

/** A text without what looks secret in it. */
export const maskText = (text: string): string => new Masker().text(text);

/** Any value of an API object, with the secrets in it taken out. */
export const maskValue = (value: unknown): unknown => new Masker().object(value);
