/** Reads the state of one pod from the page, for the matchers. */
import type { Page } from '@playwright/test';
import { z } from 'zod';

const optionalText = z.string().optional();

/** In milliseconds since the page first observed the pod. */
const instant = z.number();

/** A pod's state as the page reports it. */
const podSchema = z.object({
  uid: z.string(),
  namespace: z.string(),
  name: z.string(),
  phase: z.string(),
  status: z.string(),
  ready: z.number(),
  total: z.number(),
  restarts: z.number(),
  isGone: z.boolean(),
  age: instant,
  phases: z.array(z.object({ at: instant, phase: z.string() })),
  containers: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      attempt: z.number(),
      state: z.string(),
      exitCode: z.number().optional(),
      reason: optionalText,
      backOff: z
        .object({ kind: z.enum(['container', 'image']), seconds: z.number(), remaining: z.number() })
        .optional(),
      backOffs: z.array(z.object({ at: instant, kind: z.enum(['container', 'image']), seconds: z.number() })),
      attempts: z.array(
        z.object({
          attempt: z.number(),
          startedAt: instant.optional(),
          finishedAt: instant.optional(),
          exitCode: z.number().optional(),
        }),
      ),
    }),
  ),
  results: z.array(
    z.object({
      at: instant,
      sync: z.number(),
      action: z.string(),
      target: z.string(),
      error: optionalText,
      message: optionalText,
    }),
  ),
  events: z.array(
    z.object({
      at: instant,
      type: z.string(),
      reason: z.string(),
      message: z.string(),
      container: optionalText,
      count: z.number(),
    }),
  ),
  stoppedAt: z.object({ point: z.string(), phase: z.enum(['before', 'after']) }).optional(),
});
export type PodState = z.infer<typeof podSchema>;

/** Refers to a pod that may not exist yet. */
export class PodHandle {
  readonly page: Page;
  readonly namespace: string;
  readonly name: string;

  /** @param name `web`, or `shop/web` for another namespace than `default` */
  constructor(page: Page, name: string) {
    this.page = page;
    const [first = '', second] = name.split('/');
    [this.namespace, this.name] = second === undefined ? ['default', first] : [first, second];
  }

  /** Returns every pod that the page shows. @throws Error if this isn't a Podscope page */
  async #all(): Promise<readonly PodState[]> {
    const pods = await this.page.evaluate(() => {
      const { podscope } = globalThis as { podscope?: { pods(): unknown } };
      if (!podscope)
        throw new Error(`no Podscope page is open at ${location.href}: podscope.open() or playScenario() comes first`);
      return podscope.pods();
    });
    return z.array(podSchema).parse(pods);
  }

  /**
   * Returns the pod's current state in the page, or undefined if the page has no such pod. If the pod was deleted and
   * created again, the newest one counts.
   */
  async state(): Promise<PodState | undefined> {
    const pods = await this.#all();
    return pods.findLast(({ name, namespace }) => name === this.name && namespace === this.namespace);
  }

  /** Returns a message that the pod doesn't exist, with the names of the pods that do. */
  async others(): Promise<string> {
    const names = (await this.#all()).map(({ namespace, name }) => `${namespace}/${name}`);
    const others = names.length > 0 ? `; there are ${[...new Set(names)].join(', ')}` : ' and no other';
    return `there is no such pod${others}`;
  }

  toString(): string {
    return `pod ${this.namespace}/${this.name}`;
  }
}
