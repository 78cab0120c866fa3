/** Observes the calls that a kubelet without tracing makes for one pod with one container, for tests. */
import type { Pod, PodStatus } from '@podscope/k8s';
import { kubeletProfiles } from '@podscope/kubelet';
import type { CallMessage } from '../inputs.ts';
import { Observer } from '../observer.ts';
import { SortingSink } from '../recording/replay.ts';
import { chooseProfile } from '../releases.ts';
import type { SyncReport } from '../sync-judge.ts';

const startedAt = 1_000_000;
const image = 'busybox:1.36';
const pod = { uid: 'uid-1', namespace: 'default', name: 'web' };
const labels = {
  'io.kubernetes.pod.uid': pod.uid,
  'io.kubernetes.pod.namespace': pod.namespace,
  'io.kubernetes.pod.name': pod.name,
  'io.kubernetes.container.name': 'app',
};
/** The metadata of the pod's sandbox. */
export const metadata = { ...pod, attempt: 0 };
const nanoseconds = (at: number): bigint => BigInt(startedAt + at) * 1_000_000n;

/** A pod whose container was started 10 s after the first lists. Times are milliseconds since those lists. */
export class ObservedPod {
  readonly syncs: SyncReport[] = [];
  readonly observer: Observer;
  readonly #version: string;
  readonly #spec: Pod['spec'];
  readonly #hash: string;
  #calls = 0;

  constructor(version: string, container: Partial<Pod['spec']['containers'][number]> = {}) {
    this.#version = version;
    const app = { name: 'app', image, imagePullPolicy: 'IfNotPresent', ...container } as const;
    this.#hash = kubeletProfiles[chooseProfile(version).profile].runtime.hashContainer(app).toString(16);
    this.#spec = {
      containers: [app],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
    };
    const facts = { version, nodeName: undefined, featureGates: {}, maxContainerRestartPeriod: undefined };
    this.observer = new Observer({ sink: new SortingSink(), facts, onSync: (report) => this.syncs.push(report) });
    this.call(0, 'ListPodSandbox', {}, { items: [] });
    this.call(2, 'ListContainers', { filter: {} }, { containers: [] });
    this.answer(5_000, { phase: 'Pending' });
    this.call(10_000, 'RunPodSandbox', { config: { metadata, labels } }, { podSandboxId: 's' });
    this.call(10_002, 'PodSandboxStatus', { podSandboxId: 's' }, { status: this.#sandbox });
    this.create(10_010, 0);
    this.inspect(10_500, 'CONTAINER_RUNNING');
    this.answer(12_000);
    this.observer.tick(startedAt + 20_000);
  }

  /** Observes a call that takes a millisecond. */
  call(at: number, method: string, request: CallMessage, response: CallMessage = {}): void {
    const number = ++this.#calls;
    const call = { service: 'runtime.v1.RuntimeService', metadata: {}, connection: 1, deadline: undefined };
    this.observer.callStarted({ ...call, number, method, t: startedAt + at, request });
    this.observer.callEnded(number, { end: startedAt + at + 1, status: 0, message: '', response });
  }

  /** Observes a request for the status of the image, which names no pod. */
  readImage(at: number, isPresent = true): void {
    this.call(
      at,
      'ImageStatus',
      { image: { image } },
      isPresent ? { image: { id: 'sha256:1', repoTags: [image] } } : {},
    );
  }

  pull(at: number): void {
    this.call(at, 'PullImage', { image: { image }, sandboxConfig: { metadata } }, { imageRef: 'sha256:1' });
  }

  /** Observes the calls with which an attempt of the container is started. */
  create(at: number, attempt: number, reads = 2): void {
    if (reads > 1) this.readImage(at);
    this.readImage(at + 2);
    const specified = this.#version.startsWith('v1.20') ? {} : { userSpecifiedImage: image };
    const config = { metadata: { name: 'app', attempt }, image: { image: 'sha256:1', ...specified }, labels };
    const request = { podSandboxId: 's', config, sandboxConfig: { metadata } };
    this.call(at + 4, 'CreateContainer', request, { containerId: `c${attempt}` });
    this.call(at + 6, 'StartContainer', { containerId: `c${attempt}` });
  }

  listSandboxes(at: number, ids: readonly string[]): void {
    this.call(at, 'ListPodSandbox', {}, { items: ids.map((id) => ({ ...this.#sandbox, id })) });
  }

  /** Observes the inspection that finds the first container in this state. */
  inspect(at: number, state: 'CONTAINER_RUNNING' | 'CONTAINER_EXITED'): void {
    const container = this.#container(at, state);
    this.listSandboxes(at, ['s']);
    this.call(at + 2, 'ListContainers', { filter: {} }, { containers: [container] });
    this.call(at + 4, 'PodSandboxStatus', { podSandboxId: 's' }, { status: this.#sandbox });
    this.call(at + 6, 'ContainerStatus', { containerId: 'c0' }, { status: container });
  }

  /** Observes an answer of `/pods`. */
  answer(at: number, status: Partial<PodStatus> = {}): void {
    const { uid, name, namespace } = pod;
    const creationTimestamp = new Date(startedAt).toISOString();
    const object: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { uid, name, namespace, creationTimestamp },
      spec: this.#spec,
      status: { phase: 'Running', ...status },
    };
    this.observer.pods({ t: startedAt + at, pods: [object] });
  }

  /** Returns the newest sync, after all have been judged. */
  async lastSync(): Promise<SyncReport | undefined> {
    await this.observer.finish(startedAt + 600_000);
    return this.syncs.at(-1);
  }

  get #sandbox(): CallMessage {
    const network = { ip: '10.0.0.1', additionalIps: [] };
    const createdAt = nanoseconds(10_000);
    return { id: 's', metadata, state: 'SANDBOX_READY', createdAt, labels, annotations: {}, network };
  }

  #container(at: number, state: string): CallMessage {
    const hasExited = state === 'CONTAINER_EXITED';
    return {
      id: 'c0',
      podSandboxId: 's',
      metadata: { name: 'app', attempt: 0 },
      state,
      createdAt: nanoseconds(10_014),
      startedAt: nanoseconds(10_016),
      finishedAt: hasExited ? nanoseconds(at - 500) : 0n,
      exitCode: 0,
      image: { image: 'sha256:1' },
      imageRef: 'sha256:1',
      reason: hasExited ? 'Completed' : '',
      message: '',
      labels,
      annotations: {
        'io.kubernetes.container.restartCount': '0',
        'io.kubernetes.container.hash': this.#hash,
      },
    };
  }
}
