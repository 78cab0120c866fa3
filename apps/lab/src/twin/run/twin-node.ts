/** Runs a standalone kubelet on Docker for one recording, and reports its events and trace. */
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerRuntime } from '@podscope/cri';
import { createDockershim, localSandboxImage } from '@podscope/dockershim';
import { findContainerFieldPath, type Pod } from '@podscope/k8s';
import { Kubelet, type NodeConfiguration } from '@podscope/kubelet';
import type { OSInterface } from '@podscope/kuberuntime';
import { systemClock } from '@podscope/node';
import {
  nodeConfiguration,
  nodeGrpcProber,
  nodeHttpProber,
  nodeTcpProber,
  openNodeCgroups,
  openNodeOS,
} from '@podscope/server/node';
import { background, type Context, EventLog, type TraceEvent, Tracer } from '@podscope/trace';
import type { KubeletEvent } from '../recording.ts';
import { standaloneClient } from './standalone-client.ts';

/** Address and cluster DNS of the recordings' node. */
const recordedNode = { ips: ['192.168.77.10'], clusterDNS: ['10.96.0.10'], clusterDomain: 'cluster.local' } as const;

/** Number of retained events; more than any run emits. */
const retained = 200_000;

export interface TwinNodeObserver {
  readonly now: () => number;
  readonly onTrace: (event: TraceEvent) => void;
  readonly onEvent: (event: KubeletEvent) => void;
}

type ProfileName = 'v1.20' | 'v1.36';

/** A node that can be created, started, stopped and closed. A restart keeps its directories and containers. */
export class TwinNode {
  readonly rootDir: string;
  readonly keepsCgroups: boolean;
  readonly runtime: ContainerRuntime;
  readonly #stateDir: string;
  readonly #node: NodeConfiguration;
  readonly #os: OSInterface;
  readonly #cgroups: Awaited<ReturnType<typeof openNodeCgroups>>;
  readonly #profile: ProfileName;
  readonly #observer: TwinNodeObserver;
  readonly #clock = systemClock();
  readonly #log: EventLog;
  #pods: readonly Pod[] = [];
  #running:
    | { readonly kubelet: Kubelet; readonly controller: AbortController; readonly ended: Promise<void> }
    | undefined;

  private constructor(
    stateDir: string,
    node: NodeConfiguration,
    os: OSInterface,
    runtime: ContainerRuntime,
    cgroups: Awaited<ReturnType<typeof openNodeCgroups>>,
    profile: ProfileName,
    observer: TwinNodeObserver,
  ) {
    this.#profile = profile;
    this.#stateDir = stateDir;
    this.#node = node;
    this.#os = os;
    this.rootDir = node.rootDir;
    this.runtime = runtime;
    this.#cgroups = cgroups;
    this.keepsCgroups = cgroups !== undefined;
    this.#observer = observer;
    this.#log = new EventLog(this.#clock, retained);
    this.#log.subscribe((event) => observer.onTrace(event));
  }

  static async create(nodeName: string, profile: ProfileName, observer: TwinNodeObserver): Promise<TwinNode> {
    const stateDir = await mkdtemp(join(tmpdir(), 'podscope-twin-'));
    await chmod(stateDir, 0o755);
    const ctx = background(systemClock(), new Tracer(), 'twin');
    const instance = `twin-${randomBytes(4).toString('hex')}`;
    const runtime = await createDockershim(ctx, {
      stateDirectory: join(stateDir, 'dockershim'),
      instance,
      sandboxImage: localSandboxImage,
      release: profile,
    });
    const rootDir = join(stateDir, 'kubelet');
    const cgroups = await openNodeCgroups({ kubeletRoot: rootDir });
    const facts = await nodeConfiguration({
      nodeName,
      rootDir,
      podLogsDir: join(stateDir, 'pods'),
      legacyLogDir: join(stateDir, 'container-logs'),
    });
    const node: NodeConfiguration = { ...facts, ...recordedNode, cgroupsPerQOS: cgroups !== undefined };
    const { os } = await openNodeOS(rootDir);
    return new TwinNode(stateDir, node, os, runtime, cgroups, profile, observer);
  }

  /** Starts a kubelet with the current static pods. */
  async start(): Promise<void> {
    const controller = new AbortController();
    const kubelet = new Kubelet({
      profile: this.#profile,
      standalone: true,
      containerRuntime: this.runtime,
      client: standaloneClient,
      recorder: {
        event: (_ctx, pod, type, reason, message, container) =>
          this.#observer.onEvent({
            t: this.#observer.now(),
            type,
            reason,
            message,
            ...(container ? { fieldPath: findContainerFieldPath(pod, container.name) } : {}),
          }),
        nodeEvent: () => undefined,
      },
      os: this.#os,
      http: nodeHttpProber,
      tcp: nodeTcpProber,
      grpc: nodeGrpcProber,
      ...(this.#cgroups ? { cgroups: this.#cgroups } : {}),
      node: this.#node,
      random: Math.random,
      sources: ['file'],
    });
    const ended = kubelet.run(this.#context(controller.signal));
    this.#running = { kubelet, controller, ended };
    kubelet.podConfig.set('file', this.#pods);
    await Promise.resolve();
  }

  /** Stops the kubelet. Its containers keep running. */
  async stop(): Promise<void> {
    this.#running?.controller.abort(new DOMException('the run is over', 'AbortError'));
    await this.#running?.ended;
    this.#running = undefined;
  }

  /** Returns false while the kubelet is stopped and can't list pods. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Replaces the static pods. */
  setPods(pods: readonly Pod[]): void {
    this.#pods = pods;
    this.#running?.kubelet.podConfig.set('file', pods);
  }

  /** Returns the status in the kubelet's own list of pods; undefined for a pod that isn't listed. */
  listed(uid: string): Pod['status'] | undefined {
    const kubelet = this.#running?.kubelet;
    const pod = kubelet?.podManager.getPodByUID(uid);
    return pod && (kubelet?.statusManager.getPodStatus(uid) ?? pod.status ?? {});
  }

  /** Stops everything and removes this node's containers and files. */
  async close(): Promise<void> {
    const kubelet = this.#running?.kubelet;
    await this.stop();
    await kubelet?.stopAllPods(this.#context(new AbortController().signal), 0).catch(() => undefined);
    for (const path of (await this.#cgroups?.pods())?.values() ?? [])
      await this.#cgroups?.destroy(path).catch(() => undefined);
    await this.runtime.close();
    await this.#os.unmountAll?.(this.#stateDir);
    await rm(this.#stateDir, { recursive: true, force: true });
  }

  #context(signal: AbortSignal): Context {
    return background(this.#clock, new Tracer(this.#log), 'node', signal);
  }
}
