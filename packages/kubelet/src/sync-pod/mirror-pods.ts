/** Shows static pods in the API. Upstream: pkg/kubelet/pod/mirror_client.go, kubelet.go tryReconcileMirrorPods (v1.36). */
import { type Pod, podHashAnnotation, podMirrorAnnotation } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import type { KubeClient } from '../dependencies.ts';
import { errorText } from '../util/error-text.ts';

/** Creates, replaces and deletes mirror pods. */
export class MirrorPods {
  readonly #client: KubeClient;
  readonly #standalone: boolean;

  /** @param standalone there is no API that could show anything. */
  constructor(client: KubeClient, standalone = false) {
    this.#client = client;
    this.#standalone = standalone;
  }

  /** Makes the API show the static pod as it is. Failures are told and tried again at the next sync. */
  async reconcile(ctx: Context, staticPod: Pod, mirrorPod: Pod | undefined): Promise<'kept' | 'created' | 'failed' | 'standalone'> {
    if (this.#standalone) return 'standalone';
    try {
      const hash = staticPod.metadata.annotations?.[podHashAnnotation];
      const current = mirrorPod && mirrorPod.metadata.deletionTimestamp === undefined && mirrorPod.metadata.annotations?.[podMirrorAnnotation] === hash;
      if (current) return 'kept';
      if (mirrorPod) await this.delete(mirrorPod);
      const node = await this.#client.getNode();
      if (!node || node.metadata.deletionTimestamp !== undefined) return 'kept';
      const { uid: _, resourceVersion: __, ...metadata } = staticPod.metadata;
      const owner = { apiVersion: 'v1', kind: 'Node', name: node.metadata.name, uid: node.metadata.uid, controller: true };
      await this.#client.createPod({
        ...staticPod,
        metadata: {
          ...metadata,
          uid: '',
          annotations: { ...metadata.annotations, [podMirrorAnnotation]: hash ?? '' },
          ownerReferences: [owner],
        },
      });
      return 'created';
    } catch (error) {
      ctx.tracer.emit(ctx, { type: 'output', level: 'warning', message: `Failed creating a mirror pod: ${errorText(error)}` });
      return 'failed';
    }
  }

  /** Removes a mirror pod from the API. */
  async delete({ metadata }: Pod): Promise<void> {
    await this.#client.deletePod(metadata.namespace ?? '', metadata.name, metadata.uid);
  }
}
