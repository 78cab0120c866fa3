/**
 * Declares the interface of network plugins, and implements the plugin of the engine's bridge and the one without a
 * network.
 */
import { decideBandwidth } from '@podscope/cri';
import type { Context } from '@podscope/trace';

/** The pod to which a plugin call applies. */
export interface PodNetwork {
  readonly namespace: string;
  readonly name: string;
  readonly sandboxId: string;
}

/** Connects pods to a network. Upstream: network.NetworkPlugin (dockershim/network/plugins.go, v1.20). */
export interface NetworkPlugin {
  readonly name: string;
  /**
   * The `NetworkMode` of sandboxes that aren't on the host's network. With `default`, the engine connects them to its
   * bridge; with `none`, the plugin connects them.
   */
  readonly networkMode: 'default' | 'none';
  setUpPod(
    ctx: Context,
    pod: PodNetwork,
    annotations: Readonly<Record<string, string>>,
    options: Readonly<Record<string, string>>,
  ): Promise<void>;
  tearDownPod(ctx: Context, pod: PodNetwork): Promise<void>;
  /** Returns the pod's addresses, the primary one first; undefined if the engine reports them. */
  podIPs(ctx: Context, pod: PodNetwork): Promise<readonly string[] | undefined>;
  /** Rejects while the network isn't ready. */
  status(ctx: Context): Promise<void>;
  /** Receives the node's pod CIDR once it is known. */
  podCidrChanged(ctx: Context, podCidr: string): Promise<void>;
}

const done = Promise.resolve();

/**
 * The plugin for the engine's bridge. It does nothing, because the engine itself connects sandboxes to the bridge.
 * Upstream: NoopNetworkPlugin (dockershim/network/plugins.go, v1.20).
 */
export const noopNetworkPlugin: NetworkPlugin = {
  name: 'kubernetes.io/no-op',
  networkMode: 'default',
  setUpPod: (ctx, _pod, annotations) => {
    decideBandwidth(ctx, annotations, {
      plugin: noopNetworkPlugin.name,
      capable: [],
      otherwise: "Docker's bridge has no bandwidth limits",
    });
    return done;
  },
  tearDownPod: () => done,
  podIPs: () => Promise.resolve(undefined),
  status: () => done,
  podCidrChanged: () => done,
};

/** The plugin for pods that have only a loopback interface. */
export const noNetworkPlugin: NetworkPlugin = {
  ...noopNetworkPlugin,
  name: 'none',
  networkMode: 'none',
  setUpPod: () => done,
  podIPs: () => Promise.resolve([]),
};
