/** Drives one page of Podscope: navigation, and the node that the page shows. */
import type { Page } from '@playwright/test';
import { PodscopeNode } from './node/podscope-node.ts';
import type { SimulationDocument } from './node/simulation.ts';
import { PodscopePage } from './page.ts';

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

/** Returns the URL parameters for the options. */
const wordsOf = ({ profile, seed, speed, paused, simulation }: SimulationOptions): Record<string, string> => ({
  ...(profile ? { profile } : {}),
  ...(seed === undefined ? {} : { seed: String(seed) }),
  ...(speed === undefined ? {} : { speed: String(speed) }),
  ...(paused ? { paused: '' } : {}),
  ...(simulation ? { simulation: JSON.stringify(simulation) } : {}),
});

/** Drives the page with its node. */
export class Podscope extends PodscopeNode {
  /** The address of the page: of a server (with its token) or of a built site. */
  readonly url: string;
  /** The elements of the page, by role. */
  readonly ui: PodscopePage;

  readonly #prepare: ((node: PodscopeNode) => Promise<void>) | undefined;

  /**
   * @param url the address of a server or of a built site
   * @param prepare called after each {@link open}, to prepare the node for the test
   */
  constructor(
    page: Page,
    url: string,
    {
      prepare,
      ...options
    }: {
      readonly kubeconfig?: string | undefined;
      readonly prepare?: ((node: PodscopeNode) => Promise<void>) | undefined;
    } = {},
  ) {
    super(page, options);
    this.url = url;
    this.ui = new PodscopePage(page);
    this.#prepare = prepare;
  }

  /**
   * Opens the page with the worker's node; a built site uses a simulated node in the page. As with the fixture `node`,
   * the node is empty at the first call in a test, and `podscopeSpeed` determines the speed of its time.
   */
  async open(): Promise<void> {
    await this.#goto({});
    await this.#prepare?.(this);
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
}
