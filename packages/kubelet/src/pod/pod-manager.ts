/**
 * Stores the pods that this node should run, as their sources delivered them. Upstream: pkg/kubelet/pod/pod_manager.go
 * (v1.36).
 */
import { isMirrorPod, isStaticPod, type Pod } from '@podscope/k8s';
import { getPodFullName } from '@podscope/kuberuntime';

/** Stores pods by UID and by full name, and mirror pods separately. */
export class PodManager {
  readonly #pods = new Map<string, Pod>();
  readonly #byName = new Map<string, Pod>();
  readonly #mirrors = new Map<string, Pod>();
  readonly #mirrorsByName = new Map<string, Pod>();

  /** Adds a pod or replaces an older version of it. Upstream: AddPod, UpdatePod. */
  update(pod: Pod): void {
    const [byUID, byName] = isMirrorPod(pod) ? [this.#mirrors, this.#mirrorsByName] : [this.#pods, this.#byName];
    byUID.set(pod.metadata.uid, pod);
    byName.set(getPodFullName(pod), pod);
  }

  /** Removes a pod. A newer pod with the same name is kept. */
  remove(pod: Pod): void {
    const [byUID, byName] = isMirrorPod(pod) ? [this.#mirrors, this.#mirrorsByName] : [this.#pods, this.#byName];
    byUID.delete(pod.metadata.uid);
    const name = getPodFullName(pod);
    if (byName.get(name)?.metadata.uid === pod.metadata.uid) byName.delete(name);
  }

  /** Returns all pods except mirror pods. */
  getPods(): readonly Pod[] {
    return [...this.#pods.values()];
  }

  getPodByUID(uid: string): Pod | undefined {
    return this.#pods.get(uid);
  }

  getPodByName(namespace: string, name: string): Pod | undefined {
    return this.#byName.get(`${name}_${namespace}`);
  }

  getMirrorPodByPod(pod: Pod): Pod | undefined {
    return this.#mirrorsByName.get(getPodFullName(pod));
  }

  /**
   * Returns a pod and its mirror pod. If `pod` is a mirror pod, the result has its static pod, if known. Upstream:
   * GetPodAndMirrorPod.
   */
  getPodAndMirrorPod(pod: Pod): {
    readonly pod: Pod | undefined;
    readonly mirrorPod: Pod | undefined;
    readonly wasMirror: boolean;
  } {
    if (isMirrorPod(pod)) return { pod: this.#byName.get(getPodFullName(pod)), mirrorPod: pod, wasMirror: true };
    return { pod, mirrorPod: isStaticPod(pod) ? this.getMirrorPodByPod(pod) : undefined, wasMirror: false };
  }

  /** Returns the static pods with their mirror pods. Upstream: GetStaticPodToMirrorPodMap. */
  staticPodsWithMirrors(): readonly (readonly [pod: Pod, mirrorPod: Pod | undefined])[] {
    return this.getPods()
      .filter(isStaticPod)
      .map((pod) => [pod, this.getMirrorPodByPod(pod)]);
  }

  /** Returns the static pod's UID if `uid` is that of its mirror pod, otherwise `uid`. Upstream: TranslatePodUID. */
  translatePodUID(uid: string): string {
    const mirror = this.#mirrors.get(uid);
    return (mirror && this.#byName.get(getPodFullName(mirror))?.metadata.uid) ?? uid;
  }

  /** Returns the UIDs of all pods and mirror pods. */
  allUIDs(): ReadonlySet<string> {
    return new Set([...this.#pods.keys(), ...this.#mirrors.keys()]);
  }

  /** Returns the mirror pods that have no static pod. Upstream: GetOrphanedMirrorPodNames. */
  orphanedMirrorPods(): readonly Pod[] {
    return [...this.#mirrorsByName].filter(([name]) => !this.#byName.has(name)).map(([, pod]) => pod);
  }
}
