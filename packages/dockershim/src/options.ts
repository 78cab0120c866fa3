/** Declares the options of dockershim and their defaults. */
import { join } from 'node:path';
import { defaultSandboxImages } from '@podscope/cri';
import type { StreamingServerOptions } from '@podscope/streaming';

/** A fallback for the sandbox image. */
export interface SandboxImageFallback {
  readonly image: string;
  /** Use it if the configured image is absent, or only if its pull fails. */
  readonly when: 'absent' | 'pullFails';
}

/** The network plugins: Docker's bridge, no network, CNI plugins. */
export const networkPlugins = ['docker', 'none', 'cni'] as const;
export type NetworkPluginName = (typeof networkPlugins)[number];

/** The network options. */
export interface NetworkOptions {
  /** The network plugin. Default `docker`: the engine's default bridge. */
  readonly networkPlugin?: NetworkPluginName;
  /** Directory of CNI configurations. Default `/etc/cni/net.d`. */
  readonly cniConfDir?: string;
  /** Directories of CNI plugins. Default `/opt/cni/bin`, then `/usr/lib/cni`. */
  readonly cniBinDirs?: readonly string[];
}

/** Options of `createDockershim`. */
export interface DockershimOptions extends NetworkOptions {
  /** `unix:///path`, `tcp://host:port`, `ssh://user@host`. Default: `DOCKER_HOST`, else the local socket. */
  readonly dockerHost?: string;
  /** Directory for checkpoints, not shared with another instance. */
  readonly stateDirectory: string;
  /** Label value of everything that dockershim creates; other objects are never touched. */
  readonly instance: string;
  /** Default: the release's `defaultSandboxImages`. */
  readonly sandboxImage?: string;
  /** Default `podscope/pause:local`, when the pull fails. Null: none. */
  readonly sandboxImageFallback?: SandboxImageFallback | null;
  /** Directory for results of CNI plugins. Default: in the state directory. */
  readonly cniCacheDir?: string;
  /** Write log files in CRI's format where the caller asks for them. Default true. */
  readonly logFiles?: boolean;
  /** The release to behave like: today's, or kubelet v1.20 call by call. Default v1.36. */
  readonly release?: 'v1.36' | 'v1.20';
  /** Address of the streaming server. Default: a free port of 127.0.0.1. */
  readonly streaming?: StreamingServerOptions;
  /** Limit of a Docker call, in milliseconds. Default 2 minutes. */
  readonly requestTimeout?: number;
  /** A pull without progress is cancelled after this time, in milliseconds. Default 1 minute. */
  readonly imagePullProgressDeadline?: number;
}

/** Options with their defaults. */
export type ResolvedOptions = Required<Omit<DockershimOptions, 'dockerHost'>>;

/** The image that `pnpm local-images` builds. */
export const localSandboxImage = 'podscope/pause:local';

/** Returns the options with defaults. @throws Error for an invalid option */
export function resolveOptions(options: DockershimOptions): ResolvedOptions {
  if (!/^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(options.instance)) {
    throw new Error(
      `dockershim instance ${JSON.stringify(options.instance)}: expected up to 63 letters, digits, dots, dashes ` +
        'and underscores',
    );
  }
  const fallback = options.sandboxImageFallback;
  const release = options.release ?? 'v1.36';
  return {
    stateDirectory: options.stateDirectory,
    instance: options.instance,
    sandboxImage: options.sandboxImage || defaultSandboxImages[release],
    sandboxImageFallback: fallback === undefined ? { image: localSandboxImage, when: 'pullFails' } : fallback,
    networkPlugin: options.networkPlugin ?? 'docker',
    cniConfDir: options.cniConfDir || '/etc/cni/net.d',
    cniBinDirs: options.cniBinDirs?.length ? options.cniBinDirs : ['/opt/cni/bin', '/usr/lib/cni'],
    cniCacheDir: options.cniCacheDir || join(options.stateDirectory, 'cni'),
    logFiles: options.logFiles ?? true,
    release,
    streaming: options.streaming ?? {},
    requestTimeout: options.requestTimeout || 120_000,
    imagePullProgressDeadline: options.imagePullProgressDeadline || 60_000,
  };
}
