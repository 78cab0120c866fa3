/**
 * Plays a scenario with our own kubelet on the simulated runtime and returns the conversation between both in the form
 * of a recording, as a relay would have observed it.
 */
import {
  type ContainerRuntime,
  CriError,
  type CriMethod,
  imageServiceMethods,
  runtimeServiceMethods,
} from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import { Simulation } from '@podscope/node/virtual';
import type { CallMessage, CallRecord, PodsSnapshot, Recording } from '@podscope/observer';
import { beginScenario, type Scenario, type ScenarioProfile, simulationOptionsOf } from '@podscope/scenarios';
import { type Context, grpcCodeNumber, instant } from '@podscope/trace';

/** Time before the manifest is applied, in milliseconds. The kubelet's lists are empty until then. */
const idleFor = 3_137;
/** Interval at which the pods are polled, in milliseconds. */
const pollEvery = 500;
/**
 * The distance between two recorded times, in milliseconds. On a virtual clock many calls have the same time. The n-th
 * start or end of a call gets n times this distance added, which keeps the order.
 */
const orderStep = 0.0005;

/** Times that a Docker engine needs, in milliseconds. */
const latencies = {
  RunPodSandbox: 200,
  'CNI ADD': 120,
  CreateContainer: 40,
  StartContainer: 75,
  ExecSync: 40,
  StopContainer: 30,
  StopPodSandbox: 30,
  RemoveContainer: 11,
  ContainerStatus: 2,
  PodSandboxStatus: 2,
} as const;

type Call = (ctx: Context, request: object) => Promise<object>;

class Conversation {
  readonly calls: CallRecord[] = [];
  /** Number of the kubelet's connection: each process of the kubelet has one of its own. */
  connection = 1;
  readonly #api: string;
  #order = 0;

  constructor(profile: ScenarioProfile) {
    this.#api = profile === 'v1.20' ? 'runtime.v1alpha2' : 'runtime.v1';
  }

  time(now: number): number {
    return now + ++this.#order * orderStep;
  }

  begin(service: string, method: string, now: number, request: object): CallRecord {
    const call: CallRecord = {
      number: this.calls.length + 1,
      service: `${this.#api}.${service}`,
      method,
      connection: this.connection,
      metadata: {},
      t: this.time(now),
      deadline: undefined,
      request: { ...structuredClone(request) },
      result: undefined,
    };
    this.calls.push(call);
    return call;
  }

  end({ number }: CallRecord, result: NonNullable<CallRecord['result']>): void {
    const call = this.calls[number - 1];
    if (call) this.calls[number - 1] = { ...call, result };
  }

  /** Returns a service whose calls are recorded. */
  tapped<Service extends object>(service: Service, name: string, methods: readonly CriMethod[]): Service {
    const unary = methods.filter((method) => !method.startsWith('Stream') && method !== 'GetContainerEvents');
    const calls = new Map<PropertyKey, Call>(
      unary.map((method) => {
        const key = `${method.charAt(0).toLowerCase()}${method.slice(1)}`;
        // The cast is safe: every unary method of a CRI service has this form.
        const original = (Reflect.get(service, key) as Call).bind(service);
        return [key, (ctx, request) => this.#call(ctx, name, method, original, request)];
      }),
    );
    return new Proxy(service, { get: (target, key) => calls.get(key) ?? Reflect.get(target, key) });
  }

  async #call(ctx: Context, service: string, method: string, original: Call, request: object): Promise<object> {
    const call = this.begin(service, method, ctx.clock.now(), request);
    try {
      const response = await original(ctx, request);
      const message: CallMessage = { ...structuredClone(response) };
      this.end(call, { end: this.time(ctx.clock.now()), response: message, status: 0, message: '' });
      return response;
    } catch (error) {
      if (!(error instanceof CriError)) throw error;
      const status = grpcCodeNumber(error.code);
      const { message } = error;
      this.end(call, { end: this.time(ctx.clock.now()), response: undefined, status, message });
      throw error;
    }
  }
}

/** Returns the pods as the kubelet's `/pods` shows them. */
function podsOf({ nodeHost }: Simulation): readonly Pod[] {
  const { podManager, statusManager } = nodeHost.kubelet;
  return podManager
    .getPods()
    .map((pod) => structuredClone({ ...pod, status: statusManager.getPodStatus(pod.metadata.uid) ?? pod.status }));
}

/** Plays a scenario for its duration. */
export async function simulatedConversation(scenario: Scenario, profile: ScenarioProfile): Promise<Recording> {
  const conversation = new Conversation(profile);
  const { simulator, ...options } = simulationOptionsOf(scenario, profile);
  const wrapRuntime = (runtime: ContainerRuntime): ContainerRuntime => {
    const tapped = new Map<PropertyKey, unknown>([
      ['runtime', conversation.tapped(runtime.runtime, 'RuntimeService', runtimeServiceMethods)],
      ['images', conversation.tapped(runtime.images, 'ImageService', imageServiceMethods)],
    ]);
    return new Proxy(runtime, { get: (target, key) => tapped.get(key) ?? Reflect.get(target, key) });
  };
  const simulation = new Simulation({
    ...options,
    wrapRuntime,
    simulator: { ...simulator, latencies: { ...latencies, ...simulator?.latencies } },
  });
  const { clock, nodeHost } = simulation;
  // A genuine kubelet requests the version when it starts, and at the start of each sync.
  const requestVersion = (): void => {
    const call = conversation.begin('RuntimeService', 'Version', clock.now(), { version: '0.1.0' });
    const response = { version: '0.1.0', runtimeName: 'docker', runtimeVersion: '20.10', runtimeApiVersion: '1.41' };
    conversation.end(call, { end: conversation.time(clock.now()), response, status: 0, message: '' });
  };
  nodeHost.log.subscribe((event) => {
    if (event.type === 'spanStarted' && event.point === 'kubelet.SyncPod') requestVersion();
  });
  await simulation.start();
  const startedAt = clock.now();
  await clock.advanceTo(instant(startedAt + idleFor));
  await beginScenario(scenario, simulation);
  const pods: PodsSnapshot[] = [];
  const end = clock.now() + scenario.duration * 1_000;
  for (let { kubelet } = nodeHost; clock.now() < end; ) {
    await clock.advanceTo(instant(clock.now() + pollEvery));
    if (nodeHost.kubelet !== kubelet) {
      ({ kubelet } = nodeHost);
      conversation.connection += 1;
      requestVersion();
    }
    pods.push({ t: conversation.time(clock.now()), pods: podsOf(simulation) });
  }
  return {
    calls: conversation.calls,
    pods,
    spans: [],
    actions: [],
    startedAt,
    facts: {
      version: profile === 'v1.20' ? 'v1.20.2' : 'v1.36.2',
      nodeName: nodeHost.nodeInfo().nodeName,
      featureGates: {},
      maxContainerRestartPeriod: undefined,
    },
  };
}
