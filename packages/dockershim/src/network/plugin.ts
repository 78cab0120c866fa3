/** Declares the network plugin interface, and the plugins for the engine's bridge and for no network. */
import { decideBandwidth } from '@podscope/cri';
import type { Context } from '@podscope/trace';

/** The pod of a plugin call. */
export interface PodNetwork {
  readonly namespace: string;
  readonly name: string;
  readonly sandboxId: string;
}

/** Connects pods. Upstream: network.NetworkPlugin (dockershim/network/plugins.go, v1.20). */
export interface NetworkPlugin {
  readonly name: string;
  /**
   * `NetworkMode` of sandboxes outside the host's network: `default` is the engine's bridge, `none` leaves the network
   * to the plugin.
   */
  readonly networkMode: 'default' | 'none';
  setUpPod(
    ctx: Context,
    pod: PodNetwork,
    annotations: Readonly<Record<string, string>>,
    options: Readonly<Record<string, string>>,
  ): Promise<void>;
  tearDownPod(ctx: Context, pod: PodNetwork): Promise<void>;
  /** Returns the pod's addresses, the primary one first; undefined if the engine has them. */
  podIPs(ctx: Context, pod: PodNetwork): Promise<readonly string[] | undefined>;
  /** Rejects while the network isn't ready. */
  status(ctx: Context): Promise<void>;
  /** Called when the node's pod CIDR becomes known. */
  podCidrChanged(ctx: Context, podCidr: string): Promise<void>;
}

const done = Promise.resolve();

/** The engine's bridge needs no plugin. Upstream: NoopNetworkPlugin (dockershim/network/plugins.go, v1.20). */
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

/** Pods with nothing but a loopback interface. */
export const noNetworkPlugin: NetworkPlugin = {
  ...noopNetworkPlugin,
  name: 'none',
  networkMode: 'none',
  setUpPod: () => done,
  podIPs: () => Promise.resolve([]),
};
