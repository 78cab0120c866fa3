/** Defines scenarios as data: a manifest, the behavior of the simulated world, and the expected outcome. */
import type { EphemeralContainer, ResourceRequirements } from '@podscope/k8s';
import type { SimulationOptions } from '@podscope/node/virtual';
import type { Operation, SimulationDocument } from '@podscope/simulated-runtime';

/** A text in each language of the interface. */
export interface LocalizedText {
  readonly en: string;
  readonly zh: string;
}

/** Categories of scenarios, in display order. */
export const scenarioCategories = [
  'start',
  'images',
  'configuration',
  'commands',
  'crashes',
  'init',
  'probes',
  'hooks',
  'sandbox',
  'outside',
  'changes',
  'deletion',
  'admission',
  'restartRules',
] as const;
export type ScenarioCategory = (typeof scenarioCategories)[number];

/** The kubelet releases that a scenario can be played with. */
export type ScenarioProfile = 'v1.36' | 'v1.20';

interface ActTime {
  /** Time of the act, in seconds after the manifest was applied. */
  readonly at: number;
}

/** An action during the scenario. Its pods are in the namespace `default`. */
export type Act = ActTime &
  (
    | { readonly do: 'apply'; readonly manifest: string }
    | { readonly do: 'deletePod'; readonly pod: string; readonly gracePeriodSeconds?: number }
    /** Kills the container's process from outside: exit code 137. */
    | { readonly do: 'killContainer'; readonly pod: string; readonly container: string }
    | { readonly do: 'exitContainer'; readonly pod: string; readonly container: string; readonly code: number }
    /** Ends the pause process. */
    | { readonly do: 'stopSandbox'; readonly pod: string }
    | { readonly do: 'removeImage'; readonly image: string }
    /** Adds an image like `docker load`. */
    | { readonly do: 'addImage'; readonly image: string }
    /** Makes the next calls of an operation fail. */
    | { readonly do: 'failNext'; readonly operation: Operation; readonly message: string; readonly times?: number }
    | { readonly do: 'setNetworkReady'; readonly ready: boolean }
    | { readonly do: 'debug'; readonly pod: string; readonly container: EphemeralContainer }
    | {
        readonly do: 'resize';
        readonly pod: string;
        readonly container: string;
        readonly resources: ResourceRequirements;
      }
    /**
     * Restarts the node after `downFor` seconds: all processes end, and the kubelet loses its state in memory. With
     * `containersGone`, the runtime loses all its containers too.
     */
    | { readonly do: 'restartNode'; readonly downFor: number; readonly containersGone?: boolean }
    /** Restarts the kubelet after `downFor` seconds: it loses its state in memory, while containers keep running. */
    | { readonly do: 'restartKubelet'; readonly downFor: number }
    /**
     * Shuts the node down as systemd does: pods have `gracePeriod` seconds, of which `criticalGracePeriod` (default 0)
     * are reserved for critical pods. The node stays in this state until it restarts.
     */
    | { readonly do: 'shutdownNode'; readonly gracePeriod: number; readonly criticalGracePeriod?: number }
    /** Sends a command of the protocol (docs/reference/protocol.md) to the node. */
    /** Replaces the files of the manifest directory: a pod per document; an empty text for no files. */
    | { readonly do: 'setStaticPods'; readonly manifest: string }
    | { readonly do: 'command'; readonly command: ScenarioCommand }
  );

interface ScenarioContainer {
  readonly namespace: string;
  readonly name: string;
  readonly container: string;
}

/** The commands that a scenario may send: fault plans and changes to back-offs. */
export type ScenarioCommand =
  | { readonly command: 'setFaultPlan'; readonly yaml: string; readonly enabled?: boolean | undefined }
  | { readonly command: 'enableFaultPlan'; readonly name: string; readonly enabled: boolean }
  | ({ readonly command: 'skipBackOff' } & ScenarioContainer)
  | ({ readonly command: 'setBackOff'; readonly seconds: number } & ScenarioContainer);

/** The expected state of a pod at some moment. Omitted members may have any value. */
export interface PodMoment {
  /** `gone` means deleted; the containers are then compared with their last known state. */
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'gone';
  /** Reason of the pod's phase, such as `OutOfmemory`. */
  readonly reason?: string;
  /** Part of the message for the phase. */
  readonly message?: string;
  readonly containers?: readonly ContainerMoment[];
  readonly conditions?: readonly ConditionMoment[];
  /** The pod's own address, the node's address, or no address yet. */
  readonly address?: 'own' | 'node' | 'none';
}

export interface ConditionMoment {
  readonly type: string;
  /** `absent` means that the condition doesn't exist. */
  readonly status?: 'True' | 'False' | 'absent';
  readonly reason?: string;
}

/** The expected state of a container. Without a reason, an exit code or restarts, it is running. */
export interface ContainerMoment {
  readonly name: string;
  /** Reason of the waiting or terminated state. */
  readonly reason?: string;
  /** Part of the message of the waiting or terminated state. */
  readonly message?: string;
  readonly ready?: boolean;
  /** Reason of the last termination, while the container waits or runs again. */
  readonly ended?: string;
  /** Minimum number of restarts. */
  readonly restarts?: number;
  /** Exit code of the current state, or of the last one while the container waits or runs again. */
  readonly exitCode?: number;
  /** Memory limit in the status, as reported by the runtime. */
  readonly memoryLimit?: string;
}

/** An event about the pod. */
export interface EventMoment {
  readonly reason: string;
  /** Part of the message. */
  readonly message?: string;
  /** The container that the event is about. */
  readonly container?: string;
  /** Minimum count. */
  readonly count?: number;
}

/** A line of a container's log. */
export interface LogMoment {
  readonly container: string;
  /** Part of the line. */
  readonly line: string;
}

/** The expected outcome on a real engine with the same manifest and acts, specific enough to identify the scenario. */
export interface DockerOutcome extends PodMoment {
  /** Default: the pod with the scenario's id as its name. */
  readonly pod?: string;
  /** Events that exist at the end. */
  readonly events?: readonly EventMoment[];
  /** Events that must not exist. */
  readonly noEvents?: readonly EventMoment[];
  readonly logs?: readonly LogMoment[];
  /** The API server's message when it rejects the manifest. Then no pod is created. */
  readonly refused?: string;
  /** The API server's messages when it rejects acts, in order. */
  readonly refusedActs?: readonly string[];
  /** The state to wait for before each act, in order, because acts have no fixed times on a real engine. */
  readonly before?: readonly PodMoment[];
  /**
   * A real registry that holds an image. The text `replaces` is replaced in the manifest and the acts: by the
   * registry's host or, if the text names the image, by the image in that registry.
   */
  readonly registry?: {
    readonly image: string;
    readonly replaces: string;
    readonly login?: { readonly username: string; readonly password: string };
  };
  /**
   * The differences with v1.20; an empty object if the outcome is the same. Without it, the scenario isn't played with
   * v1.20, because another scenario covers the differences between the releases.
   */
  readonly inV120?: Partial<Omit<DockerOutcome, 'pod' | 'registry' | 'inV120'>>;
}

/** The reason why the scenario can't be played on a real engine. */
export interface OnlySimulated {
  readonly onlySimulated: LocalizedText;
}

export interface Scenario {
  /** In kebab-case; used in links. */
  readonly id: string;
  readonly category: ScenarioCategory;
  readonly title: LocalizedText;
  /** One or two sentences that describe the pod and its outcome. */
  readonly summary: LocalizedText;
  /** Points to notice while the scenario plays. */
  readonly notice: readonly LocalizedText[];
  /** YAML with one or more documents. The manifest also runs on Docker, with the outcome in `docker`. */
  readonly manifest: string;
  /** Behavior of containers in the simulator, by `pod/container` or `container`. */
  readonly scripts?: SimulationDocument['scripts'];
  /** Other options of the simulated runtime. */
  readonly simulator?: Omit<SimulationDocument, 'scripts' | 'seed'>;
  readonly policy?: SimulationOptions['policy'];
  readonly acts?: readonly Act[];
  /** Time until the last interesting event, in seconds. */
  readonly duration: number;
  readonly profiles: readonly ScenarioProfile[];
  /** The differences between the profiles, for scenarios that have both. */
  readonly differs?: LocalizedText;
  /** The outcome on a real engine, or why the scenario can't be played there. */
  readonly docker: DockerOutcome | OnlySimulated;
}

/**
 * Returns the outcome on a real engine with that kubelet release, or undefined if the scenario isn't played with it.
 */
export function dockerOutcomeOf({ docker }: Scenario, profile: ScenarioProfile): DockerOutcome | undefined {
  if ('onlySimulated' in docker) return undefined;
  const { inV120, ...outcome } = docker;
  if (profile === 'v1.36') return outcome;
  return inV120 && { ...outcome, ...inV120 };
}

/** Returns true if the scenario can be played on a real engine. */
export const runsOnDocker = (scenario: Scenario): scenario is Scenario & { readonly docker: DockerOutcome } =>
  !('onlySimulated' in scenario.docker);
