/** Drives one page: navigation, pods, virtual time, the debugger and faults. */
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { PodscopePage } from './page.ts';
import { PodHandle } from './pod.ts';
import type { SimulationDocument } from './simulation.ts';

/** A breakpoint. docs/protocol.md, setBreakpoints, describes each field. */
export interface BreakpointInput {
  /** The id of a point: `syncPod.createPodSandbox`, `cri.StartContainer`. */
  readonly point: string;
  readonly when?: 'before' | 'after' | 'error';
  /** A CEL expression over the variables at the point. */
  readonly condition?: string;
  readonly hitCondition?: string;
  readonly namespace?: string;
  readonly pod?: string;
  readonly container?: string;
}

/** A fault to inject. docs/protocol.md, setFaults, describes each field. */
export interface FaultInput {
  /** The id of a point, or a pattern. */
  readonly at: string;
  readonly times?: number;
  readonly skip?: number;
  readonly pod?: string;
  readonly container?: string;
  /** The error: a gRPC code by name, or the status of the Docker Engine's response. */
  readonly fail?:
    | { readonly grpc: string; readonly message: string }
    | { readonly docker: number; readonly message: string };
  readonly delay?: string;
  readonly [other: string]: unknown;
}

/** Options of a simulated node in the page. */
export interface SimulationOptions {
  readonly profile?: 'v1.36' | 'v1.20';
  readonly seed?: number | string;
  /** Virtual seconds per real second: 0.1 to 1000. */
  readonly speed?: number;
  readonly paused?: boolean;
  /** Settings of the node. Each replaces the scenario's setting. */
  readonly simulation?: SimulationDocument;
}

const applySchema = z.object({ errors: z.array(z.object({ message: z.string() })).optional() });
const verdictSchema = z.array(z.object({ verified: z.boolean(), message: z.string().optional() }));
const breakpointsSchema = z.object({ breakpoints: verdictSchema });
const faultsSchema = z.object({ faults: verdictSchema });

/** Rejects breakpoints and faults that can never be hit. @throws Error with the message of the first one */
function checkVerified(verdicts: z.infer<typeof verdictSchema>): void {
  const wrong = verdicts.find(({ verified }) => !verified);
  if (wrong) throw new Error(wrong.message ?? 'this can never be reached');
}

/** Returns the URL parameters for the options. */
const wordsOf = ({ profile, seed, speed, paused, simulation }: SimulationOptions): Record<string, string> => ({
  ...(profile ? { profile } : {}),
  ...(seed === undefined ? {} : { seed: String(seed) }),
  ...(speed === undefined ? {} : { speed: String(speed) }),
  ...(paused ? { paused: '' } : {}),
  ...(simulation ? { simulation: JSON.stringify(simulation) } : {}),
});

/** Drives the page with its node. */
export class Podscope {
  readonly page: Page;
  /** The address of the page: of a server (with its token) or of a built site. */
  readonly url: string;
  /** The elements of the page, by role. */
  readonly ui: PodscopePage;

  /** Path of the server's kubeconfig for kubectl; undefined for a built site. */
  readonly kubeconfig: string | undefined;

  constructor(page: Page, url: string, { kubeconfig }: { readonly kubeconfig?: string | undefined } = {}) {
    this.page = page;
    this.url = url;
    this.kubeconfig = kubeconfig;
    this.ui = new PodscopePage(page);
  }

  /** Opens the page with the server's node; a built site uses a simulated node in the page. */
  open(): Promise<void> {
    return this.#goto({});
  }

  /** Opens the page without a server, with an empty simulated node in the page and virtual time. */
  openAlone(options: SimulationOptions = {}): Promise<void> {
    return this.#goto({ alone: '', ...wordsOf(options) });
  }

  /** Plays a scenario in the page without a server. The seed makes it deterministic. */
  playScenario(id: string, options: SimulationOptions = {}): Promise<void> {
    return this.#goto({ scenario: id, ...wordsOf(options) });
  }

  async #goto(words: Readonly<Record<string, string>>): Promise<void> {
    const address = new URL(this.url);
    for (const [name, value] of Object.entries(words)) address.searchParams.set(name, value);
    await this.ui.open(address.href);
  }

  /**
   * Returns a handle for a pod, which may not exist yet. @param name `web`, or `shop/web` for another namespace than
   * `default`
   */
  pod(name: string): PodHandle {
    return new PodHandle(this.page, name);
  }

  /** Sends any command of the protocol. @throws Error if the node rejects it */
  command(command: { readonly command: string; readonly [argument: string]: unknown }): Promise<unknown> {
    return this.page.evaluate((body) => {
      const { podscope } = globalThis as { podscope?: { command(command: unknown): Promise<unknown> } };
      if (!podscope) throw new Error('this is not a Podscope page: podscope.open() or playScenario() comes first');
      return podscope.command(body);
    }, command);
  }

  /** Applies a manifest. @throws Error with the first error in the manifest */
  async apply(manifest: string): Promise<void> {
    const [first] = applySchema.parse(await this.command({ command: 'apply', manifest })).errors ?? [];
    if (first) throw new Error(first.message);
  }

  /**
   * Deletes a pod. `toBeGone` waits until it has terminated.
   * @param name `web`, or `shop/web` for another namespace than `default`
   * @throws Error if there is no such pod
   */
  async delete(name: string, { gracePeriodSeconds }: { readonly gracePeriodSeconds?: number } = {}): Promise<void> {
    const pod = this.pod(name);
    await this.command({
      command: 'deletePod',
      namespace: pod.namespace,
      name: pod.name,
      ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    });
  }

  /** Controls the virtual time of a simulated node. */
  readonly time = {
    pause: (): Promise<unknown> => this.command({ command: 'setTime', paused: true }),
    /** @param speed virtual seconds per real second */
    resume: (speed?: number): Promise<unknown> =>
      this.command({ command: 'setTime', paused: false, ...(speed === undefined ? {} : { speed }) }),
    /** Advances virtual time by this many milliseconds at once. */
    step: (milliseconds: number): Promise<unknown> => this.command({ command: 'stepTime', milliseconds }),
    toNextEvent: (): Promise<unknown> => this.command({ command: 'stepTime', toNextEvent: true }),
  };

  /** Controls the debugger. */
  readonly debug = {
    /** Replaces all breakpoints. @throws Error if one of them can never be hit */
    setBreakpoints: async (breakpoints: readonly BreakpointInput[]): Promise<void> =>
      checkVerified(
        breakpointsSchema.parse(await this.command({ command: 'setBreakpoints', breakpoints })).breakpoints,
      ),
    /** Continues all stopped workers. */
    continue: (): Promise<unknown> => this.command({ command: 'continue' }),
    stepOver: (pod: PodHandle): Promise<unknown> => this.#step('next', pod),
    stepIn: (pod: PodHandle): Promise<unknown> => this.#step('stepIn', pod),
    stepOut: (pod: PodHandle): Promise<unknown> => this.#step('stepOut', pod),
  };

  async #step(command: 'next' | 'stepIn' | 'stepOut', pod: PodHandle): Promise<unknown> {
    const state = await pod.state();
    if (!state?.stoppedAt) throw new Error(`${pod.toString()} is not stopped`);
    return this.command({ command, thread: state.uid });
  }

  /** Replaces all faults. @throws Error if one of them can never occur */
  async setFaults(faults: readonly FaultInput[]): Promise<void> {
    checkVerified(faultsSchema.parse(await this.command({ command: 'setFaults', faults })).faults);
  }
}
