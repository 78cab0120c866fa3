/** Declares the options of dockershim and their defaults. */
import { join } from 'node:path';
import { defaultSandboxImages } from '@podscope/cri';
import type { StreamingServerOptions } from '@podscope/streaming';

/** The image to use for sandboxes if the configured one isn't available. */
export interface SandboxImageFallback {
  readonly image: string;
  /** Whether the fallback is used as soon as the configured image is absent, or only after its pull has failed. */
  readonly when: 'absent' | 'pullFails';
}

/** The network plugins: Docker's bridge, no network, or CNI plugins. */
export const networkPlugins = ['docker', 'none', 'cni'] as const;
export type NetworkPluginName = (typeof networkPlugins)[number];

/** The network options. */
export interface NetworkOptions {
  /** The network plugin. Default: `docker`, which is the engine's default bridge. */
  readonly networkPlugin?: NetworkPluginName;
  /** The directory of CNI configurations. Default: `/etc/cni/net.d`. */
  readonly cniConfDir?: string;
  /** The directories of CNI plugins. Default: `/opt/cni/bin`, then `/usr/lib/cni`. */
  readonly cniBinDirs?: readonly string[];
}

/** The options of `createDockershim`. */
export interface DockershimOptions extends NetworkOptions {
  /**
   * The address of the engine: `unix:///path`, `tcp://host:port` or `ssh://user@host`. Default: `DOCKER_HOST`; if that
   * isn't set, the local socket.
   */
  readonly dockerHost?: string;
  /** The directory for checkpoints. Another instance must not use it. */
  readonly stateDirectory: string;
  /**
   * The value of the instance label that dockershim adds to every object. dockershim doesn't change objects with
   * another value.
   */
  readonly instance: string;
  /** The image of sandboxes. Default: the release's image in `defaultSandboxImages`. */
  readonly sandboxImage?: string;
  /**
   * The fallback for `sandboxImage`. Default: `podscope/pause:local`, used only after the pull of `sandboxImage` has
   * failed. Null: no fallback.
   */
  readonly sandboxImageFallback?: SandboxImageFallback | null;
  /** The directory for the results of CNI plugins. Default: a directory in the state directory. */
  readonly cniCacheDir?: string;
  /** Whether to write log files in CRI's format if the caller requests them. Default: true. */
  readonly logFiles?: boolean;
  /**
   * The release whose behavior dockershim has: the current release, or kubelet v1.20, whose engine calls are reproduced
   * one by one. Default: v1.36.
   */
  readonly release?: 'v1.36' | 'v1.20';
  /** The address of the streaming server. Default: a free port of 127.0.0.1. */
  readonly streaming?: StreamingServerOptions;
  /** The time limit of a Docker call, in milliseconds. Default: 2 minutes. */
  readonly requestTimeout?: number;
  /** How long a pull may make no progress before it is canceled, in milliseconds. Default: 1 minute. */
  readonly imagePullProgressDeadline?: number;
}

/** The options after the defaults were added. */
export type ResolvedOptions = Required<Omit<DockershimOptions, 'dockerHost'>>;

/** The image that `pnpm local-images` builds. */
export const localSandboxImage = 'podscope/pause:local';

/**
 * Returns the options with the defaults added.
 * @throws Error for an invalid option
 */
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
