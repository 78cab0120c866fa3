/** Simulates image registries: their images, credentials, speed and failures. */
import { hexDigest, type ImageReference, type Random } from '@podscope/base';
import type { AuthConfig } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import type { Clock, Instant, Milliseconds } from '@podscope/trace';
import {
  criToolsImages,
  dockerHub,
  googleSamples,
  type ImageDefinition,
  kubernetesRegistry,
  unknownImage,
} from './catalog.ts';

/** A registry. Its behavior is plain data, so that a scenario can contain it. */
export interface RegistryOptions {
  /**
   * The registry's host, for example `docker.io`. `*.invalid` matches every host of a domain, `*` matches any host. The
   * first registry that matches is used. A registry without repositories has the repositories of the default registry
   * for its host.
   */
  readonly host: string;
  /** Images by repository path (`library/nginx`). */
  readonly repositories?: Readonly<Record<string, ImageDefinition>>;
  /** The image of every repository that isn't listed. Absent: these repositories don't exist. */
  readonly otherRepositories?: ImageDefinition;
  /**
   * Whether `library/…` repositories exist only if they are listed, even with `otherRepositories`. A typo in a
   * well-known name then fails.
   */
  readonly libraryIsListed?: boolean;
  /** Tags that don't exist in any repository. */
  readonly missingTags?: RegExp;
  /** Repository paths that don't exist. */
  readonly missingRepositories?: RegExp;
  /** The accepted credentials. Absent: pulls need no credentials. */
  readonly credentials?: readonly { readonly username: string; readonly password: string }[];
  /** How every request fails: without a response, or with status 503. */
  readonly failure?: 'no such host' | 'connection refused' | 'timeout' | 'unavailable';
  /** The time until the first response, in ms. */
  readonly latency?: Milliseconds;
  /** Bytes per second for all layers together. */
  readonly bytesPerSecond?: number;
  /** How many anonymous pulls are allowed per period. */
  readonly rateLimit?: { readonly pulls: number; readonly period: Milliseconds };
  /**
   * The share of requests that fail, 0 to 1. A manifest request fails with 503, a layer request with a connection
   * reset.
   */
  readonly flakiness?: number;
  /** The share of layer requests that fail, if it differs from `flakiness`. The engine gives up after five attempts. */
  readonly resets?: number;
}

/** The answer to a manifest request. */
export interface Manifest {
  readonly definition: ImageDefinition;
  readonly bytesPerSecond: number;
  /**
   * Returns the share (0 to 1) of the remaining bytes that a new connection transfers before it breaks; undefined for a
   * stable connection.
   */
  readonly breaksAt: () => number | undefined;
  /** The registry's address, for example `203.0.113.7:443`. */
  readonly address: string;
  /** Returns a local port for a new connection. */
  readonly ownPort: () => number;
}

const missingName = /^(?:missing|nope|typo|invalid|no-?such.*|not-?found.*|non-?exist.*|does-?not-?exist.*)$/;
const missingPath =
  /(?:^|\/)(?:missing|nope|typo|invalid|no-?such[^/]*|not-?found[^/]*|non-?exist[^/]*|does-?not-?exist[^/]*)$/;

/** The default registries. */
export const defaultRegistries: readonly RegistryOptions[] = [
  { host: '*.invalid', failure: 'no such host' },
  { host: '*.unreachable', failure: 'timeout' },
  {
    host: 'private.registry.local',
    credentials: [{ username: 'student', password: 'secret' }],
    otherRepositories: unknownImage,
    repositories: dockerHub,
  },
  { host: 'docker.io', repositories: dockerHub, otherRepositories: unknownImage, libraryIsListed: true },
  { host: 'registry.k8s.io', repositories: kubernetesRegistry },
  { host: 'k8s.gcr.io', repositories: kubernetesRegistry },
  {
    host: 'gcr.io',
    repositories: { ...kubernetesRegistry, ...googleSamples, ...criToolsImages },
    otherRepositories: unknownImage,
  },
  {
    host: '*',
    repositories: { ...dockerHub, ...kubernetesRegistry, ...googleSamples },
    otherRepositories: unknownImage,
  },
];

/** Returns the first registry that matches a host. */
const registryOf = (registries: readonly RegistryOptions[], host: string): RegistryOptions | undefined =>
  registries.find(
    ({ host: pattern }) =>
      pattern === host ||
      pattern === '*' ||
      (pattern.startsWith('*.') && host.replace(/:\d+$/, '').endsWith(pattern.slice(1))),
  );

/**
 * Returns a function that finds the registry of a host: the first match among `registries`; without a match, the
 * default registry.
 */
export const withUsualRegistries =
  (registries: readonly RegistryOptions[]) =>
  (host: string): RegistryOptions | undefined => {
    const usual = registryOf(defaultRegistries, host);
    const own = registryOf(registries, host);
    return own && !own.repositories && !own.otherRepositories ? { ...usual, ...own } : (own ?? usual);
  };

/** Finds the image of a reference in a registry without a network request. Returns undefined when it doesn't exist. */
export function definitionIn(
  registry: RegistryOptions | undefined,
  { path }: Pick<ImageReference, 'path'>,
): ImageDefinition | undefined {
  if (!registry || (registry.missingRepositories ?? missingPath).test(path)) return undefined;
  const { repositories = {} } = registry;
  // Users may omit `library/`. Only own properties count, because a repository may be called `constructor`.
  const listed = [path, `library/${path}`, path.replace(/^library\//, '')].find((name) =>
    Object.hasOwn(repositories, name),
  );
  if (listed !== undefined) return repositories[listed];
  return registry.libraryIsListed && path.startsWith('library/') ? undefined : registry.otherRepositories;
}

const defaultLatency: Milliseconds = 350;
const defaultBytesPerSecond = 25_000_000;
const requestTimeout: Milliseconds = 15_000;

const daemonError = (message: string): CriError => new CriError('Unknown', `Error response from daemon: ${message}`);

/**
 * Returns the scheme of requests to a registry. Docker treats a registry on the loopback as insecure: it tries HTTPS
 * and then uses HTTP. Upstream: registry.serviceConfig, defaultService.lookupV2Endpoints (moby).
 */
const schemeOf = (domain: string): string => (/^(?:127\.|localhost(?::|$))/.test(domain) ? 'http' : 'https');

const apiHost = (host: string): string => (host === 'docker.io' ? 'registry-1.docker.io' : host);

export class Registries {
  readonly #usual: (host: string) => RegistryOptions | undefined;
  readonly #clock: Clock;
  readonly #random: Random;
  /**
   * Connections have their own sequence of random numbers, so that an additional manifest request doesn't change them.
   */
  readonly #connections: Random;
  /** The registry of each host, because the number of pulls is counted per host. */
  readonly #byHost = new Map<string, RegistryOptions | undefined>();
  readonly #anonymousPulls = new Map<RegistryOptions, Instant[]>();

  /** @param registries the registries that take precedence over the default ones */
  constructor(registries: readonly RegistryOptions[], clock: Clock, random: Random) {
    this.#usual = withUsualRegistries(registries);
    this.#clock = clock;
    this.#random = random;
    this.#connections = random.fork('connections');
  }

  /**
   * Requests a manifest.
   * @throws CriError with Docker's error text
   */
  async manifest(
    reference: ImageReference,
    auth: AuthConfig | undefined,
    wait: (ms: Milliseconds) => Promise<void>,
  ): Promise<Manifest> {
    const registry = this.#registryOf(reference.domain);
    const base = `${schemeOf(reference.domain)}://${apiHost(reference.domain)}/v2/`;
    await this.#reach(registry, reference.domain, base, wait);
    this.#authorize(registry, reference, auth, base);
    const definition = this.definitionOf(reference);
    const version = reference.digest ?? reference.tag ?? 'latest';
    if (!definition) {
      throw daemonError(
        `pull access denied for ${reference.familiarName}, repository does not exist or may require 'docker ` +
          `login': denied: requested access to the resource is denied`,
      );
    }
    if ((registry?.missingTags ?? missingName).test(version)) {
      throw daemonError(
        `manifest for ${reference.familiarName}${reference.digest ? '@' : ':'}${version} not found: manifest ` +
          'unknown: manifest unknown',
      );
    }
    const resets = registry?.resets ?? registry?.flakiness ?? 0;
    return {
      definition,
      bytesPerSecond: registry?.bytesPerSecond ?? defaultBytesPerSecond,
      breaksAt: () => (resets > 0 && this.#connections.next() < resets ? this.#connections.next() : undefined),
      address: `203.0.113.${1 + (Number.parseInt(hexDigest(reference.domain, 4), 16) % 254)}:443`,
      ownPort: () => Math.floor(this.#connections.between(32_768, 61_000)),
    };
  }

  /** Finds the image of a reference without a network request. Returns undefined when it doesn't exist. */
  definitionOf(reference: ImageReference): ImageDefinition | undefined {
    return definitionIn(this.#registryOf(reference.domain), reference);
  }

  #registryOf(host: string): RegistryOptions | undefined {
    if (!this.#byHost.has(host)) this.#byHost.set(host, this.#usual(host));
    return this.#byHost.get(host);
  }

  async #reach(
    registry: RegistryOptions | undefined,
    host: string,
    base: string,
    wait: (ms: Milliseconds) => Promise<void>,
  ): Promise<void> {
    if (registry?.failure === 'timeout') {
      await wait(requestTimeout);
      throw daemonError(
        `Get "${base}": net/http: request canceled while waiting for connection (Client.Timeout exceeded while ` +
          'awaiting headers)',
      );
    }
    await wait((registry?.latency ?? defaultLatency) * this.#random.between(0.8, 1.2));
    const name = host.replace(/:\d+$/, '');
    if (!registry || registry.failure === 'no such host')
      throw daemonError(`Get "${base}": dial tcp: lookup ${name}: no such host`);
    if (registry.failure === 'connection refused')
      throw daemonError(`Get "${base}": dial tcp ${host}: connect: connection refused`);
    if (registry.failure === 'unavailable' || this.#random.next() < (registry.flakiness ?? 0)) {
      throw new CriError('Unknown', `RegistryUnavailable: received unexpected HTTP status: 503 Service Unavailable`);
    }
  }

  #authorize(
    registry: RegistryOptions | undefined,
    reference: ImageReference,
    auth: AuthConfig | undefined,
    base: string,
  ): void {
    const credentials = credentialsOf(auth);
    if (registry?.credentials) {
      const head = `Head "${base}${reference.path}/manifests/${reference.digest ?? reference.tag ?? 'latest'}"`;
      if (!credentials) throw daemonError(`${head}: no basic auth credentials`);
      const known = registry.credentials.some(
        ({ username, password }) => username === credentials.username && password === credentials.password,
      );
      if (!known) throw daemonError(`${head}: unauthorized: authentication required`);
    }
    if (registry?.rateLimit && !credentials) this.#countAnonymous(registry, registry.rateLimit);
  }

  #countAnonymous(registry: RegistryOptions, { pulls, period }: NonNullable<RegistryOptions['rateLimit']>): void {
    const now = this.#clock.now();
    const recent = (this.#anonymousPulls.get(registry) ?? []).filter((at) => at > now - period);
    this.#anonymousPulls.set(registry, recent);
    if (recent.length >= pulls) {
      throw daemonError(
        'toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
      );
    }
    recent.push(now);
  }
}

/** Returns user name and password from their own fields; without these, from the encoded pair. */
function credentialsOf(
  auth: AuthConfig | undefined,
): { readonly username: string; readonly password: string } | undefined {
  if (auth?.username) return { username: auth.username, password: auth.password ?? '' };
  if (!auth?.auth) return undefined;
  try {
    const [username = '', ...password] = atob(auth.auth).split(':');
    return { username, password: password.join(':') };
  } catch {
    // With invalid base64, the request has no credentials.
    return undefined;
  }
}
