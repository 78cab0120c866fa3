/** What a teaching pod is: a manifest, what the simulated world does to it, and what there is to see. All of it is data. */
import type { EphemeralContainer, ResourceRequirements } from '@podscope/k8s';
import type { SimulationOptions } from '@podscope/simulation';
import type { Operation } from '@podscope/simulator';

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
  readonly containers?: readonly ContainerMoment[];
  readonly condition?: { readonly type: string; readonly reason: string };
}

/** What is seen of a container. Without a reason, an exit code or restarts it runs. */
export interface ContainerMoment {
  readonly name: string;
  /** Why it waits or ended. */
  readonly reason?: string;
  /** At least so many. */
  readonly restarts?: number;
  /** Of the state or, while it waits or runs again, of the last one. */
  readonly exitCode?: number;
  /** Of the status, as the runtime reports it. */
  readonly memoryLimit?: string;
}

/** What a real engine shows of the same manifest and acts. */
export interface DockerOutcome extends PodMoment {
  /** Default: the pod that has the scenario's id as its name. */
  readonly pod?: string;
  /** Reasons of events that there are about it in the end. */
  readonly events?: readonly string[];
  /** What the API says when it refuses the manifest; there is no pod then. */
  readonly refused?: string;
  /** What the pod is before each act, in the order of the acts: nothing happens at a given second there. */
  readonly before?: readonly PodMoment[];
  /** A real registry that holds an image. `replaces`, in manifest and acts, stands for its host or, if it names the image, for that image in it. */
  readonly registry?: {
    readonly image: string;
    readonly replaces: string;
    readonly login?: { readonly username: string; readonly password: string };
  };
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
  readonly scripts?: Readonly<Record<string, string>>;
  /** What else is special about the simulated runtime. */
  readonly simulator?: Omit<NonNullable<SimulationOptions['simulator']>, 'scripts'>;
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

/** True when it can be played on a real engine. */
export const runsOnDocker = (scenario: Scenario): scenario is Scenario & { readonly docker: DockerOutcome } => !('onlySimulated' in scenario.docker);
