/**
 * Publishes static pods in the API as mirror pods. Upstream: pkg/kubelet/pod/mirror_client.go,
 * Kubelet.tryReconcileMirrorPods (v1.36).
 */
import { errorText } from '@podscope/base';
import { type Pod, podHashAnnotation, podMirrorAnnotation } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { KubeClient } from '../dependencies.ts';

/** Creates, replaces and deletes mirror pods. */
export class MirrorPods {
  readonly #client: KubeClient;
  readonly #standalone: boolean;

  /** @param standalone whether no API server exists; nothing is mirrored then */
  constructor(client: KubeClient, standalone = false) {
    this.#client = client;
    this.#standalone = standalone;
  }

  /**
   * Creates or replaces the mirror pod until it matches the static pod, and returns what was done. Emits the decision
   * `mirrorPod.reconcile`. A failure is logged, and the next sync of the pod retries.
   */
  async reconcile(
    ctx: Context,
    staticPod: Pod,
    mirrorPod: Pod | undefined,
  ): Promise<'kept' | 'created' | 'failed' | 'standalone'> {
    const facts = { pod: staticPod.metadata.name, mirror: mirrorPod?.metadata.uid };
    const decide = (outcome: string): void => ctx.tracer.decide(ctx, 'mirrorPod.reconcile', facts, outcome);
    if (this.#standalone) return 'standalone';
    const hash = staticPod.metadata.annotations?.[podHashAnnotation];
    const outdated = mirrorPod && whyOutdated(mirrorPod, hash);
    if (mirrorPod && outdated === undefined) {
      decide('kept: it shows the static pod');
      return 'kept';
    }
    if (mirrorPod) {
      const deletion = await this.#tryDelete(ctx, mirrorPod);
      if (deletion !== 'deleted') {
        decide(`not replaced: ${outdated}, but it ${deletion}`);
        return deletion === 'is gone' ? 'kept' : 'failed';
      }
      decide(`deleted: ${outdated}`);
    }
    return this.#create(ctx, staticPod, hash, decide);
  }

  async #create(
    ctx: Context,
    staticPod: Pod,
    hash: string | undefined,
    decide: (outcome: string) => void,
  ): Promise<'kept' | 'created' | 'failed'> {
    try {
      const node = await this.#client.getNode();
      if (!node || node.metadata.deletionTimestamp !== undefined) {
        decide(`not created: the node object ${node ? 'is being deleted' : 'does not exist'}`);
        return 'kept';
      }
      const created = await this.#createOrFind(mirrorOf(staticPod, hash, node.metadata), hash);
      decide(created ? 'created' : 'kept: it exists already');
      return created ? 'created' : 'kept';
    } catch (error) {
      decide(`not created: ${errorText(error)}`);
      warn(ctx, `Failed creating a mirror pod: ${errorText(error)}`);
      return 'failed';
    }
  }

  /**
   * Creates a mirror pod. Returns false if it exists with the same hash, which another sync has created. Upstream:
   * CreateMirrorPod.
   */
  async #createOrFind(mirror: Pod, hash: string | undefined): Promise<boolean> {
    const { name, namespace = '' } = mirror.metadata;
    try {
      await this.#client.createPod(mirror);
      return true;
    } catch (error) {
      const existing = await this.#client.getPod(namespace, name);
      if (existing === undefined || whyOutdated(existing, hash) !== undefined) throw error;
      return false;
    }
  }

  /** Deletes an outdated mirror pod. Only a pod that was deleted here may be replaced. Upstream: DeleteMirrorPod. */
  async #tryDelete(ctx: Context, mirrorPod: Pod): Promise<'deleted' | 'is gone' | "can't be deleted"> {
    try {
      return (await this.#deletePod(mirrorPod)) ? 'deleted' : 'is gone';
    } catch (error) {
      warn(ctx, `Failed deleting a mirror pod: ${errorText(error)}`);
      return "can't be deleted";
    }
  }

  /** Deletes a mirror pod from the API. */
  async delete(mirrorPod: Pod): Promise<void> {
    await this.#deletePod(mirrorPod);
  }

  #deletePod({ metadata }: Pod): Promise<boolean> {
    return this.#client.deletePod(metadata.namespace ?? '', metadata.name, metadata.uid);
  }
}

const warn = (ctx: Context, message: string): void =>
  ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message });

/** Returns why the mirror pod has to be replaced; undefined when it matches the static pod. */
function whyOutdated({ metadata }: Pod, hash: string | undefined): string | undefined {
  if (metadata.deletionTimestamp !== undefined) return 'it is being deleted';
  return metadata.annotations?.[podMirrorAnnotation] === hash ? undefined : "its hash differs from the static pod's";
}

/** Returns a copy of the static pod that has the mirror annotation and the node as its owner. */
function mirrorOf(
  staticPod: Pod,
  hash: string | undefined,
  node: { readonly name: string; readonly uid: string },
): Pod {
  const { uid: _, resourceVersion: __, ...metadata } = staticPod.metadata;
  return {
    ...staticPod,
    metadata: {
      ...metadata,
      uid: '',
      annotations: { ...metadata.annotations, [podMirrorAnnotation]: hash ?? '' },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid, controller: true }],
    },
  };
}
