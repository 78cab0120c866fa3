/**
 * Returns the node object that admission checks. Upstream: Kubelet.GetCachedNode (pkg/kubelet/kubelet_nodecache.go,
 * v1.36), Kubelet.getNodeAnyWay (v1.20).
 */
import type { Node } from '@podscope/k8s';
import { nodeAllocatable } from '../cgroups/node-allocatable.ts';
import type { KubeClient, NodeConfiguration } from '../dependencies.ts';

interface NodeForAdmissionOptions {
  readonly client: KubeClient;
  readonly node: NodeConfiguration;
  /** True when no API server exists: the node object is then built from the settings. */
  readonly standalone: boolean;
  /** Whether the last known node is used while the API has no node, and the node can be fetched again. */
  readonly caches: boolean;
}

/** Reads the node object with its allocatable resources. Resources that the API doesn't have come from the settings. */
export class NodeForAdmission {
  readonly #options: NodeForAdmissionOptions;
  #cached: Node | undefined;

  constructor(options: NodeForAdmissionOptions) {
    this.#options = options;
  }

  /**
   * Returns the node. If the API doesn't have it, returns the last known one in v1.36, and otherwise one built from the
   * settings.
   */
  async get(): Promise<Node> {
    return (await this.#read()) ?? this.#cached ?? this.#complete(initialNode(this.#options.node));
  }

  /** Returns the node as the API has it now; undefined if the API can't be read, and in v1.20. */
  fetch(): Promise<Node | undefined> {
    return this.#options.caches ? this.#read() : Promise.resolve(undefined);
  }

  async #read(): Promise<Node | undefined> {
    const { client, standalone, caches } = this.#options;
    if (standalone) return undefined;
    const found = await client.getNode().catch(() => undefined);
    if (!found) return undefined;
    const node = this.#complete(found);
    if (caches) this.#cached = node;
    return node;
  }

  #complete(node: Node): Node {
    const allocatable = { ...nodeAllocatable(this.#options.node), ...node.status?.allocatable };
    return { ...node, status: { ...node.status, allocatable } };
  }
}

/** Builds the node object from the settings. Upstream: initialNode. */
const initialNode = ({ name }: NodeConfiguration): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: '', labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
});
