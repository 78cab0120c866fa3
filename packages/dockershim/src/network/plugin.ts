/** The seam for pod networks: the engine's own bridge, none, or CNI plugins. */
import type { Context } from '@podscope/trace';

/** Which pod a plugin call is for. */
export interface PodNetwork {
  readonly namespace: string;
  readonly name: string;
  readonly sandboxId: string;
}

/** Connects pods. Upstream: network.NetworkPlugin (dockershim/network/plugins.go, v1.20). */
export interface NetworkPlugin {
  readonly name: string;
  /** `NetworkMode` of sandboxes that are not on the host's network: `default` is the engine's bridge, `none` leaves the network to the plugin. */
  readonly networkMode: 'default' | 'none';
  setUpPod(ctx: Context, pod: PodNetwork, annotations: Readonly<Record<string, string>>, options: Readonly<Record<string, string>>): Promise<void>;
  tearDownPod(ctx: Context, pod: PodNetwork): Promise<void>;
  /** The pod's addresses, first the primary one; undefined when the engine knows them. */
  podIPs(ctx: Context, pod: PodNetwork): Promise<readonly string[] | undefined>;
  /** Fails while the network is not ready. */
  status(ctx: Context): Promise<void>;
  /** The node's pod CIDR became known. */
  podCidrChanged(ctx: Context, podCidr: string): Promise<void>;
}

const done = Promise.resolve();

/** The engine's own bridge does everything. Upstream: NoopNetworkPlugin (dockershim/network/plugins.go, v1.20). */
export const noopNetworkPlugin: NetworkPlugin = {
  name: 'kubernetes.io/no-op',
  networkMode: 'default',
  setUpPod: () => done,
  tearDownPod: () => done,
  podIPs: () => Promise.resolve(undefined),
  status: () => done,
  podCidrChanged: () => done,
};

/** Pods have only their loopback. */
export const noNetworkPlugin: NetworkPlugin = { ...noopNetworkPlugin, name: 'none', networkMode: 'none', podIPs: () => Promise.resolve([]) };
