/**
 * Masks the values of the API server's Secrets in all data that leaves the node. A value that certainly comes from a
 * Secret is masked whatever its length: an environment variable, its expansion in other variables and in commands, or
 * the data of a Secret. In other places, only long values are masked.
 */

import type { Storage } from '@podscope/apiserver';
import { type Container, decodeBase64, expand, mappingOf, type Pod, type Secret } from '@podscope/k8s';
import { KnownValues, masked } from './known-values.ts';

/**
 * The length of the shortest value that is masked in any place. Shorter values, for example `true` or a port number,
 * occur in many texts.
 */
const shortest = 6;

/** The secret fields of registry credentials. Upstream: DockerConfigEntry (credentialprovider, v1.36). */
const credentialMembers: readonly string[] = ['password', 'auth', 'identitytoken', 'registrytoken'];

/**
 * The fields that identify objects. They are never masked: if a Secret contains the user name `default`, the namespace
 * of all pods must not be masked.
 */
const structural: ReadonlySet<string> = new Set(
  (
    'type kind apiVersion namespace name uid pod thread point rule outcome phase state status operation level ' +
    'category reason command'
  ).split(' '),
);

/** The place of a text: its key or index, the object or array that contains it, and the key of that object or array. */
export interface MaskPlace {
  readonly name: string;
  readonly holder: object;
  readonly within?: string | undefined;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeText(base64: string): string | undefined {
  try {
    return decoder.decode(decodeBase64(base64));
  } catch {
    return undefined;
  }
}

/** Returns the secret texts in a registry configuration. */
function credentials(text: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (typeof value === 'string' && credentialMembers.includes(key.toLowerCase())) found.push(value);
      return value;
    });
  } catch {
    // The text isn't a registry configuration, so all of it is masked.
  }
  return found;
}

/** Returns all secret texts of a Secret. */
function textsOf({ data }: Secret): readonly string[] {
  return Object.entries(data ?? {}).flatMap(([key, base64]) => {
    const text = decodeText(base64);
    const nested = text !== undefined && key.startsWith('.docker') ? credentials(text) : [];
    return [base64, ...(text === undefined ? [] : [text, text.trim()]), ...nested];
  });
}

/** An environment variable and its masked value. */
interface Variable {
  readonly name: string;
  readonly value: string;
  readonly shown: string;
}

/**
 * Resolves the environment variables of a container from API objects. Masks variables that come from Secrets, and texts
 * into which these variables were expanded.
 */
function variablesOf(storage: Storage, namespace: string, container: Container): ReadonlyMap<string, Variable> {
  const variables = new Map<string, Variable>();
  const add = (name: string, value: string | undefined, isSecret: boolean): void => {
    if (value !== undefined) variables.set(name, { name, value, shown: isSecret && value !== '' ? masked : value });
  };
  const secretData = (name: string | undefined): Readonly<Record<string, string>> =>
    storage.get('Secret', namespace, name ?? '')?.data ?? {};
  const plainData = (name: string | undefined): Readonly<Record<string, string>> =>
    storage.get('ConfigMap', namespace, name ?? '')?.data ?? {};
  for (const { prefix = '', secretRef, configMapRef } of container.envFrom ?? []) {
    for (const [key, value] of Object.entries(secretRef ? secretData(secretRef.name) : {}))
      add(prefix + key, decodeText(value), true);
    for (const [key, value] of Object.entries(configMapRef ? plainData(configMapRef.name) : {}))
      add(prefix + key, value, false);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const secretKey = valueFrom?.secretKeyRef;
    const plainKey = valueFrom?.configMapKeyRef;
    if (value !== undefined && value !== '') variables.set(name, { name, ...bothWays(variables, value) });
    else if (secretKey) add(name, decodeText(secretData(secretKey.name)[secretKey.key] ?? ''), true);
    else if (plainKey) add(name, plainData(plainKey.name)[plainKey.key], false);
  }
  return variables;
}

/** Returns a text after expanding `$(NAME)`, in two forms: with the values, and with masked values. */
function bothWays(
  variables: ReadonlyMap<string, Variable>,
  text: string,
): { readonly value: string; readonly shown: string } {
  const mapping = (member: 'value' | 'shown') =>
    mappingOf(new Map([...variables].map(([name, variable]) => [name, variable[member]])));
  return text.includes('$(')
    ? { value: expand(text, mapping('value')), shown: expand(text, mapping('shown')) }
    : { value: text, shown: text };
}

const pairKey = (name: string, value: string): string => `${name}\0${value}`;

/** Masks the values of all current and former Secrets, because old events contain former values and are read again. */
export class StoredSecretMask {
  readonly #storage: Storage;
  /** The values that are long enough to be masked in any place. */
  readonly #texts = new KnownValues();
  /** The values in the data of Secrets, of any length. */
  readonly #data = new Set<string>();
  /** The masked values of environment variables, by name and value. */
  readonly #variables = new Map<string, string>();
  /** The masked elements of lists: `NAME=value`, and words of commands. */
  readonly #words = new Map<string, string>();
  /**
   * Every JSON text that contains a value to mask contains at least one of these texts. Other JSON texts needn't be
   * parsed.
   */
  #signs: readonly string[] = [];
  readonly #seen = new WeakSet<object>();

  constructor(storage: Storage) {
    this.#storage = storage;
    for (const secret of storage.list('Secret')) this.#addSecret(secret);
    for (const pod of storage.list('Pod')) this.#addPod(pod);
    const { resourceVersion } = storage;
    storage.watch('Secret', resourceVersion, ({ object }) => {
      this.#addSecret(object);
      this.#addAllPods(object.metadata.namespace);
    });
    storage.watch('ConfigMap', resourceVersion, ({ object }) => this.#addAllPods(object.metadata.namespace));
    storage.watch('Pod', resourceVersion, ({ object }) => {
      // A pod is processed only if its spec has changed, because most updates change only the status.
      if (!this.#seen.has(object.spec)) this.#addPod(object);
    });
  }

  /** Masks values in JSON text. */
  apply(json: string): string {
    if (!this.#signs.some((sign) => json.includes(sign))) return json;
    return JSON.stringify(this.#walk(JSON.parse(json), undefined));
  }

  /**
   * Masks a text.
   * @param place the place of the text; without it, only long values are masked
   */
  text(text: string, place?: MaskPlace): string {
    const known = place && this.#byPlace(text, place);
    if (known !== undefined) return known;
    return this.#texts.replaceIn(text);
  }

  /** Returns the masked text if its place shows that it is a secret, and undefined if the place doesn't decide. */
  #byPlace(text: string, { name, holder, within }: MaskPlace): string | undefined {
    if (Array.isArray(holder)) return this.#words.get(text);
    if (within === 'data' || within === 'stringData') return this.#data.has(text) ? masked : undefined;
    if (name === 'value') {
      const { name: variable, key } = holder as { readonly name?: unknown; readonly key?: unknown };
      const called = typeof variable === 'string' ? variable : key;
      return typeof called === 'string' ? this.#variables.get(pairKey(called, text)) : undefined;
    }
    return structural.has(name) && this.#texts.has(text) ? text : undefined;
  }

  #walk(value: unknown, place: MaskPlace | undefined): unknown {
    if (typeof value === 'string') return this.text(value, place);
    if (typeof value !== 'object' || value === null) return value;
    const within = place?.name;
    if (Array.isArray(value))
      return value.map((item: unknown, index) => this.#walk(item, { name: String(index), holder: value, within }));
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, this.#walk(member, { name, holder: value, within })]),
    );
  }

  #addSecret(secret: Secret): void {
    for (const text of textsOf(secret)) {
      if (text !== '') this.#data.add(text);
      if (text.length >= shortest) this.#texts.add(text);
    }
    this.#lookFor();
  }

  #addAllPods(namespace: string | undefined): void {
    for (const pod of this.#storage.list('Pod')) if (pod.metadata.namespace === namespace) this.#addPod(pod);
  }

  #addPod(pod: Pod): void {
    const { metadata, spec } = pod;
    this.#seen.add(spec);
    const before = this.#variables.size + this.#words.size;
    const ephemeral = (spec.ephemeralContainers ?? []) as readonly Container[];
    for (const container of [...(spec.initContainers ?? []), ...spec.containers, ...ephemeral]) {
      const variables = variablesOf(this.#storage, metadata.namespace ?? '', container);
      if (![...variables.values()].some(({ value, shown }) => value !== shown)) continue;
      for (const { name, value, shown } of variables.values()) {
        if (value === shown) continue;
        this.#variables.set(pairKey(name, value), shown);
        this.#words.set(`${name}=${value}`, `${name}=${shown}`);
      }
      for (const word of [...(container.command ?? []), ...(container.args ?? [])]) {
        const { value, shown } = bothWays(variables, word);
        if (value !== shown) this.#words.set(value, shown);
      }
    }
    if (this.#variables.size + this.#words.size !== before) this.#lookFor();
  }

  #lookFor(): void {
    const whole = [
      ...this.#data,
      ...[...this.#variables.keys()].map((key) => key.slice(key.indexOf('\0') + 1)),
      ...this.#words.keys(),
    ];
    const inside = [...this.#texts].map((text) => JSON.stringify(text).slice(1, -1));
    this.#signs = [...new Set([...inside, ...whole.map((text) => JSON.stringify(text))])];
  }
}
