/**
 * Resolves registry credentials from pull secrets. Upstream: pkg/credentialprovider (keyring.go, config.go, secrets),
 * v1.36.
 */
import { decodeBase64, type Secret } from '@podscope/k8s';

/** The secret that contains a credential. */
export interface CredentialSource {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Credential {
  readonly username: string;
  readonly password: string;
  readonly source: CredentialSource;
}

const defaultRegistryHost = 'index.docker.io';

interface Pattern {
  readonly host: string;
  readonly port: string;
  readonly path: string;
}

const decoder = new TextDecoder();
const utf8 = (base64: string): string | undefined => {
  const bytes = decodeBase64(base64);
  return bytes && decoder.decode(bytes);
};

type Entries = Readonly<
  Record<string, { readonly username?: string; readonly password?: string; readonly auth?: string }>
>;

/**
 * Returns the registries of a secret; undefined for a secret of another type.
 * @throws Error for invalid JSON
 */
function entriesOf({ type, data = {} }: Secret): Entries | undefined {
  const isConfig = type === 'kubernetes.io/dockerconfigjson';
  const content = isConfig
    ? data['.dockerconfigjson']
    : type === 'kubernetes.io/dockercfg'
      ? data['.dockercfg']
      : undefined;
  const text = content ? utf8(content) : undefined;
  if (!text) return undefined;
  const value = JSON.parse(text) as Entries & { readonly auths?: Entries };
  return isConfig ? (value.auths ?? {}) : value;
}

/**
 * Returns user and password. The base64 text `auth` takes precedence over the plain fields.
 * @throws Error when `auth` contains no colon
 */
function userOf({ username = '', password = '', auth }: Entries[string]): { username: string; password: string } {
  if (!auth) return { username, password };
  const text = utf8(auth);
  const colon = text?.indexOf(':') ?? -1;
  if (text === undefined || colon < 0)
    throw new Error('unable to parse auth field, must be formatted as base64(username:password)');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

const versionPath = /^\/v[12](?=\/)/;

/**
 * Returns the key of an entry: host, port and path, without scheme and API version; undefined for an invalid address.
 */
function keyOf(location: string): string | undefined {
  const match = /^(?:https?:\/\/)?([^/?#]+)(\/[^?#]*)?/.exec(location);
  if (!match?.[1]) return undefined;
  const path = (match[2] ?? '').replace(versionPath, '');
  return path === '' || path === '/' ? match[1] : match[1] + path;
}

function splitURL(text: string): Pattern {
  const slash = text.indexOf('/');
  const authority = slash < 0 ? text : text.slice(0, slash);
  const colon = authority.lastIndexOf(':');
  const hasPort = colon > authority.lastIndexOf(']');
  return {
    host: hasPort ? authority.slice(0, colon) : authority,
    port: hasPort ? authority.slice(colon + 1) : '',
    path: slash < 0 ? '' : text.slice(slash),
  };
}

/** Matches one part of a host name against a shell pattern (`*`, `?`, `[a-z]`). */
function matchesGlob(pattern: string, text: string): boolean {
  const source = pattern.replace(
    /\\(.)|([.+^${}()|])|\*|\?/g,
    (found, escaped: string | undefined, special: string | undefined) => {
      if (escaped !== undefined) return `\\${escaped}`;
      if (special !== undefined) return `\\${special}`;
      return found === '*' ? '[^/]*' : '[^/]';
    },
  );
  try {
    return new RegExp(`^${source}$`).test(text);
  } catch {
    return false;
  }
}

/** Returns true if an image matches the key of an entry. Upstream: URLsMatch. */
function urlsMatch(globText: string, targetText: string): boolean {
  const glob = splitURL(globText);
  const target = splitURL(targetText);
  const globParts = glob.host.split('.');
  const targetParts = target.host.split('.');
  if (glob.port !== target.port || globParts.length !== targetParts.length || !target.path.startsWith(glob.path))
    return false;
  return globParts.every((part, index) => matchesGlob(part, targetParts[index] ?? ''));
}

/** Returns true for images on Docker Hub. Upstream: isDefaultRegistryMatch. */
function isDefaultRegistryMatch(image: string): boolean {
  const [first = '', ...rest] = image.split('/');
  if (first === '') return false;
  if (rest.length === 0 || first === 'docker.io' || first === defaultRegistryHost) return true;
  return !/[.:]/.test(first);
}

/** Finds the credentials of a pod by repository. */
export class Keyring {
  readonly #credentials = new Map<string, Credential[]>();

  /**
   * Parses the secrets.
   * @throws Error when a secret of a known type is invalid
   */
  constructor(secrets: readonly Secret[]) {
    for (const secret of secrets) {
      const { uid, namespace = '', name } = secret.metadata;
      for (const [location, entry] of Object.entries(entriesOf(secret) ?? {})) {
        const key = keyOf(location);
        if (key === undefined) continue;
        const credential: Credential = { ...userOf(entry), source: { uid, namespace, name } };
        this.#credentials.set(key, [...(this.#credentials.get(key) ?? []), credential]);
      }
    }
  }

  /**
   * Returns the credentials that match a repository like `docker.io/library/redis`. The most specific match comes
   * first. Upstream: BasicDockerKeyring.Lookup.
   */
  lookup(repository: string): readonly Credential[] {
    const keys = [...this.#credentials.keys()].toSorted().toReversed();
    const found = keys.filter((key) => urlsMatch(key, repository)).flatMap((key) => this.#credentials.get(key) ?? []);
    if (found.length > 0 || !isDefaultRegistryMatch(repository)) return found;
    return this.#credentials.get(defaultRegistryHost) ?? [];
  }
}
