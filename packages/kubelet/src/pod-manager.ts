/** The pods this node should run, as the sources have them. Upstream: pkg/kubelet/pod/pod_manager.go (v1.36). */
import { isMirrorPod, isStaticPod, type Pod } from '@podscope/k8s';
import { getPodFullName } from '@podscope/kuberuntime';

/** Pods by UID and by full name; mirror pods apart. */
export class PodManager {
  readonly #pods = new Map<string, Pod>();
  readonly #byName = new Map<string, Pod>();
  readonly #mirrors = new Map<string, Pod>();
  readonly #mirrorsByName = new Map<string, Pod>();

  /** Adds a pod or replaces its older form. Upstream: AddPod, UpdatePod. */
  update(pod: Pod): void {
    const [byUID, byName] = isMirrorPod(pod) ? [this.#mirrors, this.#mirrorsByName] : [this.#pods, this.#byName];
    byUID.set(pod.metadata.uid, pod);
    byName.set(getPodFullName(pod), pod);
  }

  /** Forgets a pod; a newer pod of the same name stays. */
  remove(pod: Pod): void {
    const [byUID, byName] = isMirrorPod(pod) ? [this.#mirrors, this.#mirrorsByName] : [this.#pods, this.#byName];
    byUID.delete(pod.metadata.uid);
    const name = getPodFullName(pod);
    if (byName.get(name)?.metadata.uid === pod.metadata.uid) byName.delete(name);
  }

  /** All pods except mirrors. */
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

  /** For a mirror: its static pod, if that is known. Else the pod itself and its mirror. Upstream: GetPodAndMirrorPod. */
  getPodAndMirrorPod(pod: Pod): { readonly pod: Pod | undefined; readonly mirrorPod: Pod | undefined; readonly wasMirror: boolean } {
    if (isMirrorPod(pod)) return { pod: this.#byName.get(getPodFullName(pod)), mirrorPod: pod, wasMirror: true };
    return { pod, mirrorPod: isStaticPod(pod) ? this.getMirrorPodByPod(pod) : undefined, wasMirror: false };
  }

  /** The UID of the static pod where `uid` is its mirror's; else `uid`. Upstream: TranslatePodUID. */
  translatePodUID(uid: string): string {
    const mirror = this.#mirrors.get(uid);
    return (mirror && this.#byName.get(getPodFullName(mirror))?.metadata.uid) ?? uid;
  }

  /** All UIDs: of pods and of mirrors. */
  allUIDs(): ReadonlySet<string> {
    return new Set([...this.#pods.keys(), ...this.#mirrors.keys()]);
  }

  /** Full names of mirrors whose static pod is gone. Upstream: GetOrphanedMirrorPodNames. */
  orphanedMirrorPods(): readonly Pod[] {
    return [...this.#mirrorsByName].filter(([name]) => !this.#byName.has(name)).map(([, pod]) => pod);
  }
}
