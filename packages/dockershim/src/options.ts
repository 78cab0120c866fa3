/** What dockershim can be told, and its defaults. */

/** A sandbox image that may stand in for the configured one. */
export interface SandboxImageFallback {
  readonly image: string;
  /** Use it as soon as the configured image is absent, or only when that cannot be pulled. */
  readonly when: 'absent' | 'pullFails';
}

/** Options of `createDockershim`. */
export interface DockershimOptions {
  /** `unix:///path`, `tcp://host:port`, `ssh://user@host`. Left out: `DOCKER_HOST`, else the local socket. */
  readonly dockerHost?: string;
  /** Directory for checkpoints. One instance's own. */
  readonly stateDirectory: string;
  /** Marks everything we create on the engine; nothing without this mark is touched. */
  readonly instance: string;
  /** Default `registry.k8s.io/pause:3.10`. */
  readonly sandboxImage?: string;
  /** Default `podscope/pause:local`, when the pull fails. Null: none. */
  readonly sandboxImageFallback?: SandboxImageFallback | null;
  /** Limit of a Docker call, in milliseconds. Default 2 minutes. */
  readonly requestTimeout?: number;
  /** A pull without progress for so long is cancelled, in milliseconds. Default 1 minute. */
  readonly imagePullProgressDeadline?: number;
}

/** Options with their defaults. */
export type ResolvedOptions = Required<Omit<DockershimOptions, 'dockerHost'>>;

/** The sandbox image of the v1.36 generation. */
export const defaultSandboxImage = 'registry.k8s.io/pause:3.10';

/** What `pnpm local-images` builds. */
export const localSandboxImage = 'podscope/pause:local';

/** Fills in the defaults. @throws Error when an option cannot be. */
export function resolveOptions(options: DockershimOptions): ResolvedOptions {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(options.instance)) {
    throw new Error(`dockershim instance ${JSON.stringify(options.instance)}: expected up to 63 letters, digits, dots, dashes and underscores`);
  }
  const fallback = options.sandboxImageFallback;
  return {
    stateDirectory: options.stateDirectory,
    instance: options.instance,
    sandboxImage: options.sandboxImage || defaultSandboxImage,
    sandboxImageFallback: fallback === undefined ? { image: localSandboxImage, when: 'pullFails' } : fallback,
    requestTimeout: options.requestTimeout || 120_000,
    imagePullProgressDeadline: options.imagePullProgressDeadline || 60_000,
  };
}
