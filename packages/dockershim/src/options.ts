/** What dockershim can be told, and its defaults. */
import { join } from 'node:path';
import type { StreamingServerOptions } from '@podscope/streaming';

/** A sandbox image that may stand in for the configured one. */
export interface SandboxImageFallback {
  readonly image: string;
  /** Use it as soon as the configured image is absent, or only when that cannot be pulled. */
  readonly when: 'absent' | 'pullFails';
}

/** Ways to connect pods: Docker's bridge, not at all, CNI plugins. */
export const networkPlugins = ['docker', 'none', 'cni'] as const;
export type NetworkPluginName = (typeof networkPlugins)[number];

/** Which network pods get. */
export interface NetworkOptions {
  /** How pods are connected. Default `docker`: the engine's default bridge. */
  readonly networkPlugin?: NetworkPluginName;
  /** Where CNI configurations lie. Default `/etc/cni/net.d`. */
  readonly cniConfDir?: string;
  /** Where CNI plugins lie. Default `/opt/cni/bin`, then `/usr/lib/cni`. */
  readonly cniBinDirs?: readonly string[];
}

/** Options of `createDockershim`. */
export interface DockershimOptions extends NetworkOptions {
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
  /** Where results of CNI plugins are kept. Default: in the state directory. */
  readonly cniCacheDir?: string;
  /** Write containers' logs as files in CRI's format, where the caller asks for them. Default true. */
  readonly logFiles?: boolean;
  /** The dockershim to be: today's, or exactly the kubelet v1.20's, the last that had one. Default v1.36. */
  readonly release?: 'v1.36' | 'v1.20';
  /** Where Exec, Attach and PortForward are served. Default: a free port of 127.0.0.1. */
  readonly streaming?: StreamingServerOptions;
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
    networkPlugin: options.networkPlugin ?? 'docker',
    cniConfDir: options.cniConfDir || '/etc/cni/net.d',
    cniBinDirs: options.cniBinDirs?.length ? options.cniBinDirs : ['/opt/cni/bin', '/usr/lib/cni'],
    cniCacheDir: options.cniCacheDir || join(options.stateDirectory, 'cni'),
    logFiles: options.logFiles ?? true,
    release: options.release ?? 'v1.36',
    streaming: options.streaming ?? {},
    requestTimeout: options.requestTimeout || 120_000,
    imagePullProgressDeadline: options.imagePullProgressDeadline || 60_000,
  };
}
