/** What a teaching pod is: a manifest, what the simulated world does to it, and what there is to see. All of it is data. */
import type { EphemeralContainer, ResourceRequirements } from '@podscope/k8s';
import type { SimulationOptions } from '@podscope/simulation';
import type { Operation, SimulationDocument } from '@podscope/simulator';

/** A text in each language of the interface. */
export interface LocalizedText {
  readonly en: string;
  readonly zh: string;
}

/** What scenarios are grouped by, in the order they are shown. */
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

/** The engine profiles a scenario can be played in. */
export type ScenarioProfile = 'v1.36' | 'v1.20';

interface ActTime {
  /** Seconds after the manifest was applied. */
  readonly at: number;
}

/** Something that happens while the scenario plays. Pods are named within namespace `default`. */
export type Act = ActTime &
  (
    | { readonly do: 'apply'; readonly manifest: string }
    | { readonly do: 'deletePod'; readonly pod: string; readonly gracePeriodSeconds?: number }
    /** The container's process is killed from outside: exit code 137. */
    | { readonly do: 'killContainer'; readonly pod: string; readonly container: string }
    | { readonly do: 'exitContainer'; readonly pod: string; readonly container: string; readonly code: number }
    /** The pause process ends. */
    | { readonly do: 'stopSandbox'; readonly pod: string }
    | { readonly do: 'removeImage'; readonly image: string }
    /** As `docker load` does. */
    | { readonly do: 'addImage'; readonly image: string }
    /** The next calls of an operation fail. */
    | { readonly do: 'failNext'; readonly operation: Operation; readonly message: string; readonly times?: number }
    | { readonly do: 'setNetworkReady'; readonly ready: boolean }
    | { readonly do: 'debug'; readonly pod: string; readonly container: EphemeralContainer }
    | { readonly do: 'resize'; readonly pod: string; readonly container: string; readonly resources: ResourceRequirements }
    /**
     * The machine goes down and comes back after so many seconds: every process is gone, the kubelet's and what it had in memory too, and
     * with `containersGone` all that the runtime knew.
     */
    | { readonly do: 'restartNode'; readonly downFor: number; readonly containersGone?: boolean }
    /** The kubelet's process ends and starts again after so many seconds: what it had in memory is lost, containers go on meanwhile. */
    | { readonly do: 'restartKubelet'; readonly downFor: number }
  );

/** What is seen of a pod at some moment. What is left out may be anything. */
export interface PodMoment {
  /** `gone`: it is deleted; its containers are then as they were when they were last seen. */
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'gone';
  /** Why the pod as a whole is so: `OutOfmemory`. */
  readonly reason?: string;
  /** A part of what it says about that. */
  readonly message?: string;
  readonly containers?: readonly ContainerMoment[];
  readonly conditions?: readonly ConditionMoment[];
  /** An address of its own, that of the node, or none yet. */
  readonly address?: 'own' | 'node' | 'none';
}

export interface ConditionMoment {
  readonly type: string;
  /** `absent`: there is no such condition. */
  readonly status?: 'True' | 'False' | 'absent';
  readonly reason?: string;
}

/** What is seen of a container. Without a reason, an exit code or restarts it runs. */
export interface ContainerMoment {
  readonly name: string;
  /** Why it waits or ended. */
  readonly reason?: string;
  /** A part of what it says about that. */
  readonly message?: string;
  readonly ready?: boolean;
  /** Why it ended last, while it waits or runs again. */
  readonly ended?: string;
  /** At least so many. */
  readonly restarts?: number;
  /** Of the state or, while it waits or runs again, of the last one. */
  readonly exitCode?: number;
  /** Of the status, as the runtime reports it. */
  readonly memoryLimit?: string;
}

/** An event about the pod. */
export interface EventMoment {
  readonly reason: string;
  /** A part of its message. */
  readonly message?: string;
  /** The container that it is about. */
  readonly container?: string;
  /** At least so often. */
  readonly count?: number;
}

/** A line that a container has written. */
export interface LogMoment {
  readonly container: string;
  /** A part of it. */
  readonly line: string;
}

/** What a real engine shows of the same manifest and acts: enough to tell this scenario from all others. */
export interface DockerOutcome extends PodMoment {
  /** Default: the pod that has the scenario's id as its name. */
  readonly pod?: string;
  /** Events that there are about it in the end. */
  readonly events?: readonly EventMoment[];
  /** Events that there are not. */
  readonly noEvents?: readonly EventMoment[];
  readonly logs?: readonly LogMoment[];
  /** What the API says when it refuses the manifest; there is no pod then. */
  readonly refused?: string;
  /** What it says when it refuses acts, in their order. */
  readonly refusedActs?: readonly string[];
  /** What the pod is before each act, in the order of the acts: nothing happens at a given second there. */
  readonly before?: readonly PodMoment[];
  /** A real registry that holds an image. `replaces`, in manifest and acts, stands for its host or, if it names the image, for that image in it. */
  readonly registry?: {
    readonly image: string;
    readonly replaces: string;
    readonly login?: { readonly username: string; readonly password: string };
  };
  /** What is otherwise with v1.20, nothing of it perhaps. Without it, another scenario stands for what differs between the releases. */
  readonly inV120?: Partial<Omit<DockerOutcome, 'pod' | 'registry' | 'inV120'>>;
}

/** Why there is nothing to see of it on a real engine. */
export interface OnlySimulated {
  readonly onlySimulated: LocalizedText;
}

export interface Scenario {
  /** kebab-case; links name it. */
  readonly id: string;
  readonly category: ScenarioCategory;
  readonly title: LocalizedText;
  /** One or two sentences: what this pod is, and what becomes of it. */
  readonly summary: LocalizedText;
  /** What to look at while it plays. */
  readonly notice: readonly LocalizedText[];
  /** Plain YAML, several documents allowed; also runs on Docker, where `docker` says what comes of it. */
  readonly manifest: string;
  /** Lives of containers in the simulator, by `pod/container` or `container`. */
  readonly scripts?: SimulationDocument['scripts'];
  /** What else is special about the simulated runtime. */
  readonly simulator?: Omit<SimulationDocument, 'scripts' | 'seed'>;
  readonly policy?: SimulationOptions['policy'];
  readonly acts?: readonly Act[];
  /** How long there is something to see, in seconds. */
  readonly duration: number;
  readonly profiles: readonly ScenarioProfile[];
  /** What differs between the profiles, where both apply. */
  readonly differs?: LocalizedText;
  /** What becomes of it on a real engine, or why that can't be seen there. */
  readonly docker: DockerOutcome | OnlySimulated;
}

/** What becomes of it on a real engine with the kubelet of that release; undefined where it is not played there. */
export function dockerOutcomeOf({ docker }: Scenario, profile: ScenarioProfile): DockerOutcome | undefined {
  if ('onlySimulated' in docker) return undefined;
  const { inV120, ...outcome } = docker;
  if (profile === 'v1.36') return outcome;
  return inV120 && { ...outcome, ...inV120 };
}

/** True when it can be played on a real engine. */
export const runsOnDocker = (scenario: Scenario): scenario is Scenario & { readonly docker: DockerOutcome } => !('onlySimulated' in scenario.docker);
