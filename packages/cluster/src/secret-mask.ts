/**
 * Keeps the values of Secrets out of what leaves the node: wherever one stands in an event's text, in a container's environment or in a call
 * of the runtime, it is replaced.
 */
import { decodeBase64, type Secret } from '@podscope/k8s';
import type { Storage } from './storage.ts';

/** What stands in a value's place. */
export const mask = '«secret»';

/** Shorter values would be found everywhere: `true`, a port number. */
const shortest = 6;

/** The members of a registry's credentials that are secret. Upstream: DockerConfigEntry (credentialprovider, v1.36). */
const credentialMembers: readonly string[] = ['password', 'auth', 'identitytoken', 'registrytoken'];

const decoder = new TextDecoder('utf-8', { fatal: true });

function decodeText(base64: string): string | undefined {
  try {
    return decoder.decode(decodeBase64(base64));
  } catch {
    return undefined;
  }
}

/** The secret texts inside a registry configuration. */
function credentials(text: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (key, value: unknown) => {
      if (typeof value === 'string' && credentialMembers.includes(key.toLowerCase())) found.push(value);
      return value;
    });
  } catch {
    // Not a registry configuration after all: its text as a whole is masked.
  }
  return found;
}

/** Everything a secret says that nobody should read. */
function textsOf({ data }: Secret): readonly string[] {
  return Object.entries(data ?? {}).flatMap(([key, base64]) => {
    const text = decodeText(base64);
    const nested = text !== undefined && key.startsWith('.docker') ? credentials(text) : [];
    return [base64, ...(text === undefined ? [] : [text, text.trim()]), ...nested];
  });
}

/** Masks the values of all secrets there are, and of those that were there: old events are read again. */
export class SecretMask {
  /** As they stand inside a JSON string. Longest first, so that a value is masked before a part of it. */
  #texts: readonly string[] = [];

  constructor(storage: Storage) {
    const add = (secret: Secret): void => {
      const texts = textsOf(secret)
        .filter((text) => text.length >= shortest)
        .map((text) => JSON.stringify(text).slice(1, -1));
      this.#texts = [...new Set([...this.#texts, ...texts])].toSorted((a, b) => b.length - a.length);
    };
    for (const secret of storage.list('Secret')) add(secret);
    storage.watch('Secret', storage.resourceVersion, ({ object }) => add(object));
  }

  /** JSON text with the values replaced. */
  apply(json: string): string {
    let masked = json;
    for (const text of this.#texts) if (masked.includes(text)) masked = masked.replaceAll(text, mask);
    return masked;
  }
}
