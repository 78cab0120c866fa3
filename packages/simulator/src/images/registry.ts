/** Simulated registries: which images they have, who may pull, how fast and how reliably. */
import type { AuthConfig } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import type { Clock, Instant, Milliseconds } from '@podscope/trace';
import { hexDigest, type Random } from '../random.ts';
import { dockerHub, googleSamples, type ImageDefinition, kubernetesRegistry, unknownImage } from './catalog.ts';
import type { ImageReference } from './reference.ts';

/** One registry. All of its behaviour is data, so that a scenario can carry it. */
export interface RegistryOptions {
  /**
   * `docker.io`; `*.invalid` stands for every host below a domain, `*` for any. The first registry that fits is asked. One that does not say
   * what it holds is the usual registry of that host, except for what it says.
   */
  readonly host: string;
  /** Images by repository path (`library/nginx`). */
  readonly repositories?: Readonly<Record<string, ImageDefinition>>;
  /** What a repository that is not listed holds; without it there is none. */
  readonly otherRepositories?: ImageDefinition;
  /** Repositories without a namespace of their own must be listed even so: a typo in a well-known name is one. */
  readonly libraryIsListed?: boolean;
  /** Tags that no repository has. */
  readonly missingTags?: RegExp;
  /** Repository paths that do not exist. */
  readonly missingRepositories?: RegExp;
  /** Who may pull; without it everybody. */
  readonly credentials?: readonly { readonly username: string; readonly password: string }[];
  /** Answers nothing at all, or 503 to everything. */
  readonly failure?: 'no such host' | 'connection refused' | 'timeout' | 'unavailable';
  /** Until the first answer. */
  readonly latency?: Milliseconds;
  /** Bytes a second, of all layers together. */
  readonly bytesPerSecond?: number;
  /** Anonymous pulls allowed in a period. */
  readonly rateLimit?: { readonly pulls: number; readonly period: Milliseconds };
  /** The part of all requests, 0 to 1, that fail: for a manifest with a 503, for a layer by a connection that is reset in the middle. */
  readonly flakiness?: number;
  /** The part of the requests for layers that fail so, where it is another. The engine makes five before it gives up. */
  readonly resets?: number;
}

/** What a registry said about a reference. */
export interface Manifest {
  readonly definition: ImageDefinition;
  readonly bytesPerSecond: number;
  /** Where a new connection for a layer breaks, as the part, 0 to 1, of what is still to come; undefined for one that holds. */
  readonly breaksAt: () => number | undefined;
  /** Where it answers: `203.0.113.7:443`. */
  readonly address: string;
  /** A port of ours for another connection to it. */
  readonly ownPort: () => number;
}

const missingName = /^(?:missing|nope|typo|invalid|no-?such.*|not-?found.*|non-?exist.*|does-?not-?exist.*)$/;
const missingPath = /(?:^|\/)(?:missing|nope|typo|invalid|no-?such[^/]*|not-?found[^/]*|non-?exist[^/]*|does-?not-?exist[^/]*)$/;

/** The registries there are when nobody says otherwise. */
export const defaultRegistries: readonly RegistryOptions[] = [
  { host: '*.invalid', failure: 'no such host' },
  { host: '*.unreachable', failure: 'timeout' },
  { host: 'private.registry.local', credentials: [{ username: 'student', password: 'secret' }], otherRepositories: unknownImage, repositories: dockerHub },
  { host: 'docker.io', repositories: dockerHub, otherRepositories: unknownImage, libraryIsListed: true },
  { host: 'registry.k8s.io', repositories: kubernetesRegistry },
  { host: 'k8s.gcr.io', repositories: kubernetesRegistry },
  { host: 'gcr.io', repositories: { ...kubernetesRegistry, ...googleSamples }, otherRepositories: unknownImage },
  { host: '*', repositories: { ...dockerHub, ...kubernetesRegistry, ...googleSamples }, otherRepositories: unknownImage },
];

/** The first registry that stands for a host. */
const registryOf = (registries: readonly RegistryOptions[], host: string): RegistryOptions | undefined =>
  registries.find(
    ({ host: pattern }) => pattern === host || pattern === '*' || (pattern.startsWith('*.') && host.replace(/:\d+$/, '').endsWith(pattern.slice(1))),
  );

/** The registry of each host: one of these, else the usual one. */
export const withUsualRegistries =
  (registries: readonly RegistryOptions[]) =>
  (host: string): RegistryOptions | undefined => {
    const usual = registryOf(defaultRegistries, host);
    const own = registryOf(registries, host);
    return own && !own.repositories && !own.otherRepositories ? { ...usual, ...own } : (own ?? usual);
  };

/** What the reference names in that registry, if anything; without asking over the network. */
export function definitionIn(registry: RegistryOptions | undefined, { path }: Pick<ImageReference, 'path'>): ImageDefinition | undefined {
  if (!registry || (registry.missingRepositories ?? missingPath).test(path)) return undefined;
  const { repositories = {} } = registry;
  // `library` goes without saying, and a repository may be called `constructor`.
  const listed = [path, `library/${path}`, path.replace(/^library\//, '')].find((name) => Object.hasOwn(repositories, name));
  if (listed !== undefined) return repositories[listed];
  return registry.libraryIsListed && path.startsWith('library/') ? undefined : registry.otherRepositories;
}

const defaultLatency: Milliseconds = 350;
const defaultBytesPerSecond = 25_000_000;
const requestTimeout: Milliseconds = 15_000;

const daemonError = (message: string): CriError => new CriError('Unknown', `Error response from daemon: ${message}`);

const apiHost = (host: string): string => (host === 'docker.io' ? 'registry-1.docker.io' : host);

export class Registries {
  readonly #usual: (host: string) => RegistryOptions | undefined;
  readonly #clock: Clock;
  readonly #random: Random;
  /** Of its own, so that a request more or less for a manifest does not move it. */
  readonly #connections: Random;
  /** Those that were asked before: what they count belongs to the host. */
  readonly #byHost = new Map<string, RegistryOptions | undefined>();
  readonly #anonymousPulls = new Map<RegistryOptions, Instant[]>();

  /** @param registries before the usual ones */
  constructor(registries: readonly RegistryOptions[], clock: Clock, random: Random) {
    this.#usual = withUsualRegistries(registries);
    this.#clock = clock;
    this.#random = random;
    this.#connections = random.fork('connections');
  }

  /**
   * Asks the registry for a manifest.
   * @throws CriError in the words of a Docker engine.
   */
  async manifest(reference: ImageReference, auth: AuthConfig | undefined, wait: (ms: Milliseconds) => Promise<void>): Promise<Manifest> {
    const registry = this.#registryOf(reference.host);
    const base = `https://${apiHost(reference.host)}/v2/`;
    await this.#reach(registry, reference.host, base, wait);
    this.#authorize(registry, reference, auth, base);
    const definition = this.definitionOf(reference);
    const version = reference.digest ?? reference.tag ?? 'latest';
    if (!definition) {
      throw daemonError(
        `pull access denied for ${reference.familiarName}, repository does not exist or may require 'docker login': denied: requested access to the resource is denied`,
      );
    }
    if ((registry?.missingTags ?? missingName).test(version)) {
      throw daemonError(`manifest for ${reference.familiarName}${reference.digest ? '@' : ':'}${version} not found: manifest unknown: manifest unknown`);
    }
    const resets = registry?.resets ?? registry?.flakiness ?? 0;
    return {
      definition,
      bytesPerSecond: registry?.bytesPerSecond ?? defaultBytesPerSecond,
      breaksAt: () => (resets > 0 && this.#connections.next() < resets ? this.#connections.next() : undefined),
      address: `203.0.113.${1 + (Number.parseInt(hexDigest(reference.host, 4), 16) % 254)}:443`,
      ownPort: () => Math.floor(this.#connections.between(32_768, 61_000)),
    };
  }

  /** What the reference names, if anything; without asking over the network. */
  definitionOf(reference: ImageReference): ImageDefinition | undefined {
    return definitionIn(this.#registryOf(reference.host), reference);
  }

  #registryOf(host: string): RegistryOptions | undefined {
    if (!this.#byHost.has(host)) this.#byHost.set(host, this.#usual(host));
    return this.#byHost.get(host);
  }

  async #reach(registry: RegistryOptions | undefined, host: string, base: string, wait: (ms: Milliseconds) => Promise<void>): Promise<void> {
    if (registry?.failure === 'timeout') {
      await wait(requestTimeout);
      throw daemonError(`Get "${base}": net/http: request canceled while waiting for connection (Client.Timeout exceeded while awaiting headers)`);
    }
    await wait((registry?.latency ?? defaultLatency) * this.#random.between(0.8, 1.2));
    const name = host.replace(/:\d+$/, '');
    if (!registry || registry.failure === 'no such host') throw daemonError(`Get "${base}": dial tcp: lookup ${name}: no such host`);
    if (registry.failure === 'connection refused') throw daemonError(`Get "${base}": dial tcp ${host}: connect: connection refused`);
    if (registry.failure === 'unavailable' || this.#random.next() < (registry.flakiness ?? 0)) {
      throw new CriError('Unknown', `RegistryUnavailable: received unexpected HTTP status: 503 Service Unavailable`);
    }
  }

  #authorize(registry: RegistryOptions | undefined, reference: ImageReference, auth: AuthConfig | undefined, base: string): void {
    const credentials = credentialsOf(auth);
    if (registry?.credentials) {
      const head = `Head "${base}${reference.path}/manifests/${reference.digest ?? reference.tag ?? 'latest'}"`;
      if (!credentials) throw daemonError(`${head}: no basic auth credentials`);
      const known = registry.credentials.some(({ username, password }) => username === credentials.username && password === credentials.password);
      if (!known) throw daemonError(`${head}: unauthorized: authentication required`);
    }
    if (registry?.rateLimit && !credentials) this.#countAnonymous(registry, registry.rateLimit);
  }

  #countAnonymous(registry: RegistryOptions, { pulls, period }: NonNullable<RegistryOptions['rateLimit']>): void {
    const now = this.#clock.now();
    const recent = (this.#anonymousPulls.get(registry) ?? []).filter((at) => at > now - period);
    this.#anonymousPulls.set(registry, recent);
    if (recent.length >= pulls) {
      throw daemonError('toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit');
    }
    recent.push(now);
  }
}

/** User name and password, from their own fields or from the encoded pair. */
function credentialsOf(auth: AuthConfig | undefined): { readonly username: string; readonly password: string } | undefined {
  if (auth?.username) return { username: auth.username, password: auth.password ?? '' };
  if (!auth?.auth) return undefined;
  try {
    const [username = '', ...password] = atob(auth.auth).split(':');
    return { username, password: password.join(':') };
  } catch {
    // Not base64: as good as no credentials.
    return undefined;
  }
}
