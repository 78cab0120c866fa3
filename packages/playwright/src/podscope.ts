/** Drives one page: what it shows, its pods, virtual time, the debugger, faults. */
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { PodscopePage } from './page.ts';
import { PodHandle } from './pod.ts';
import type { SimulationDocument } from './simulation.ts';

/** Where and when to stop: docs/protocol.md, setBreakpoints. */
export interface BreakpointInput {
  /** Id of a point: `kuberuntime.createPodSandbox`, `cri.StartContainer`. */
  readonly point: string;
  readonly when?: 'before' | 'after' | 'error';
  /** A CEL expression over the variables there. */
  readonly condition?: string;
  readonly hitCondition?: string;
  readonly namespace?: string;
  readonly pod?: string;
  readonly container?: string;
}

/** What is to go wrong: docs/protocol.md, setFaults. */
export interface FaultInput {
  /** Id of a point, or a pattern. */
  readonly at: string;
  readonly times?: number;
  readonly skip?: number;
  readonly pod?: string;
  readonly container?: string;
  /** By the name of its gRPC code, or the status of the Docker Engine's answer. */
  readonly fail?: { readonly grpc: string; readonly message: string } | { readonly docker: number; readonly message: string };
  readonly delay?: string;
  readonly [other: string]: unknown;
}

/** How a node of the page's own runs. */
export interface SimulationOptions {
  readonly profile?: 'v1.36' | 'v1.20';
  readonly seed?: number | string;
  /** Virtual seconds to a real one: 0.1 to 1000. */
  readonly speed?: number;
  readonly paused?: boolean;
  /** What the node is like; each member in place of what a scenario says. */
  readonly simulation?: SimulationDocument;
}

const applySchema = z.object({ errors: z.array(z.object({ message: z.string() })).optional() });
const verdictSchema = z.array(z.object({ verified: z.boolean(), message: z.string().optional() }));
const breakpointsSchema = z.object({ breakpoints: verdictSchema });
const faultsSchema = z.object({ faults: verdictSchema });

/** What can never come true is a mistake of the test. @throws Error with what is wrong with the first that can't */
function checkVerified(verdicts: z.infer<typeof verdictSchema>): void {
  const wrong = verdicts.find(({ verified }) => !verified);
  if (wrong) throw new Error(wrong.message ?? 'this can never be reached');
}

/** The words of an address that say so. */
const wordsOf = ({ profile, seed, speed, paused, simulation }: SimulationOptions): Record<string, string> => ({
  ...(profile ? { profile } : {}),
  ...(seed === undefined ? {} : { seed: String(seed) }),
  ...(speed === undefined ? {} : { speed: String(speed) }),
  ...(paused ? { paused: '' } : {}),
  ...(simulation ? { simulation: JSON.stringify(simulation) } : {}),
});

/** The page with its node. */
export class Podscope {
  readonly page: Page;
  /** Where the page is: of a server (with its token) or a built site. */
  readonly url: string;
  /** What a person sees of it, by role. */
  readonly ui: PodscopePage;

  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
    this.ui = new PodscopePage(page);
  }

  /** Opens the page over its server's node; of a built site, over one of its own. */
  open(): Promise<void> {
    return this.#goto({});
  }

  /** Opens the page alone: over an empty simulated node of its own, on virtual time. */
  openAlone(options: SimulationOptions = {}): Promise<void> {
    return this.#goto({ alone: '', ...wordsOf(options) });
  }

  /** Plays a scenario in the page alone: deterministic, by its seed. */
  playScenario(id: string, options: SimulationOptions = {}): Promise<void> {
    return this.#goto({ scenario: id, ...wordsOf(options) });
  }

  async #goto(words: Readonly<Record<string, string>>): Promise<void> {
    const address = new URL(this.url);
    for (const [name, value] of Object.entries(words)) address.searchParams.set(name, value);
    await this.ui.open(address.href);
  }

  /** A pod by name, there or not. @param name `web`, or `shop/web` for another namespace than `default` */
  pod(name: string): PodHandle {
    return new PodHandle(this.page, name);
  }

  /** Sends any command of the protocol. @throws Error with the node's refusal */
  command(command: { readonly command: string; readonly [argument: string]: unknown }): Promise<unknown> {
    return this.page.evaluate((body) => {
      const { podscope } = globalThis as { podscope?: { command(command: unknown): Promise<unknown> } };
      if (!podscope) throw new Error('this is not a Podscope page: podscope.open() or playScenario() comes first');
      return podscope.command(body);
    }, command);
  }

  /** Applies a manifest. @throws Error naming what is wrong with it */
  async apply(manifest: string): Promise<void> {
    const [first] = applySchema.parse(await this.command({ command: 'apply', manifest })).errors ?? [];
    if (first) throw new Error(first.message);
  }

  /** Virtual time of a simulated node. */
  readonly time = {
    pause: (): Promise<unknown> => this.command({ command: 'setTime', paused: true }),
    /** @param speed virtual seconds to a real one */
    resume: (speed?: number): Promise<unknown> => this.command({ command: 'setTime', paused: false, ...(speed === undefined ? {} : { speed }) }),
    /** Lets so many virtual milliseconds pass at once. */
    step: (milliseconds: number): Promise<unknown> => this.command({ command: 'stepTime', milliseconds }),
    toNextEvent: (): Promise<unknown> => this.command({ command: 'stepTime', toNextEvent: true }),
  };

  /** The debugger. */
  readonly debug = {
    /** This list in place of the one before. @throws Error when one of them can never be hit */
    setBreakpoints: async (breakpoints: readonly BreakpointInput[]): Promise<void> =>
      checkVerified(breakpointsSchema.parse(await this.command({ command: 'setBreakpoints', breakpoints })).breakpoints),
    /** Lets everything that stands still go on. */
    continue: (): Promise<unknown> => this.command({ command: 'continue' }),
    stepOver: (pod: PodHandle): Promise<unknown> => this.#step('next', pod),
    stepIn: (pod: PodHandle): Promise<unknown> => this.#step('stepIn', pod),
    stepOut: (pod: PodHandle): Promise<unknown> => this.#step('stepOut', pod),
  };

  async #step(command: 'next' | 'stepIn' | 'stepOut', pod: PodHandle): Promise<unknown> {
    const state = await pod.state();
    if (!state?.stoppedAt) throw new Error(`${pod.toString()} does not stand still`);
    return this.command({ command, thread: state.uid });
  }

  /** Failures ordered in advance: this list in place of the one before. @throws Error when one of them can never come */
  async setFaults(faults: readonly FaultInput[]): Promise<void> {
    checkVerified(faultsSchema.parse(await this.command({ command: 'setFaults', faults })).faults);
  }
}
