/** Drives one page: what it shows, its pods, virtual time, the debugger, faults. */
import { expect, type Page } from '@playwright/test';
import { PodHandle } from './pod.ts';

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

/** How a scenario is played. */
export interface ScenarioOptions {
  readonly profile?: 'v1.36' | 'v1.20';
  readonly seed?: number | string;
  /** Virtual seconds to a real one: 0.1 to 1000. */
  readonly speed?: number;
  readonly paused?: boolean;
}

/** The page with its node. */
export class Podscope {
  readonly page: Page;
  /** Where the page is: of a server (with its token) or a built site. */
  readonly url: string;

  constructor(page: Page, url: string) {
    this.page = page;
    this.url = url;
  }

  /** Opens the page over its server's node, or in a built site over one of its own. */
  open(): Promise<void> {
    return this.#goto({});
  }

  /** Plays a scenario in the page alone: deterministic, by its seed. */
  playScenario(id: string, { profile, seed, speed, paused }: ScenarioOptions = {}): Promise<void> {
    return this.#goto({
      scenario: id,
      ...(profile ? { profile } : {}),
      ...(seed === undefined ? {} : { seed: String(seed) }),
      ...(speed === undefined ? {} : { speed: String(speed) }),
      ...(paused ? { paused: '' } : {}),
    });
  }

  async #goto(words: Readonly<Record<string, string>>): Promise<void> {
    const address = new URL(this.url);
    for (const [name, value] of Object.entries(words)) address.searchParams.set(name, value);
    await this.page.goto(address.href);
    await expect(this.page.getByRole('status', { name: 'Connection: Live' })).toBeVisible();
  }

  /** A pod by name, there or not. */
  pod(name: string): PodHandle {
    return new PodHandle(this.page, name);
  }

  /** Sends any command of the protocol. @throws Error with the node's refusal */
  command(command: { readonly command: string; readonly [argument: string]: unknown }): Promise<unknown> {
    return this.page.evaluate((body) => {
      const { podscope } = globalThis as { podscope?: { command(command: unknown): Promise<unknown> } };
      if (!podscope) throw new Error('this is not a Podscope page');
      return podscope.command(body);
    }, command);
  }

  /** Applies a manifest. @throws Error naming what is wrong with it */
  async apply(manifest: string): Promise<void> {
    const answer = (await this.command({ command: 'apply', manifest })) as { readonly errors?: readonly { readonly message: string }[] };
    const [first] = answer.errors ?? [];
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
    setBreakpoints: (breakpoints: readonly BreakpointInput[]): Promise<unknown> => this.command({ command: 'setBreakpoints', breakpoints }),
    /** Lets everything that stands still go on. */
    continue: (): Promise<unknown> => this.command({ command: 'continue' }),
    /** @param thread of the pod that stands still: its UID */
    stepOver: (thread: string): Promise<unknown> => this.command({ command: 'next', thread }),
    stepIn: (thread: string): Promise<unknown> => this.command({ command: 'stepIn', thread }),
    stepOut: (thread: string): Promise<unknown> => this.command({ command: 'stepOut', thread }),
  };

  /** Failures ordered in advance: this list in place of the one before. */
  setFaults(faults: readonly FaultInput[]): Promise<unknown> {
    return this.command({ command: 'setFaults', faults });
  }
}
