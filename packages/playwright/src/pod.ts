/** One pod of the node in the page, by name: what a matcher looks at. */
import type { Page } from '@playwright/test';
import { z } from 'zod';

const optionalText = z.string().optional();

/** Milliseconds after the page first heard of the pod. */
const instant = z.number();

/** What the page says of a pod. */
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
      backOff: z.object({ kind: z.enum(['container', 'image']), seconds: z.number(), remaining: z.number() }).optional(),
      backOffs: z.array(z.object({ at: instant, kind: z.enum(['container', 'image']), seconds: z.number() })),
      attempts: z.array(z.object({ attempt: z.number(), startedAt: instant.optional(), finishedAt: instant.optional(), exitCode: z.number().optional() })),
    }),
  ),
  results: z.array(z.object({ at: instant, sync: z.number(), action: z.string(), target: z.string(), error: optionalText, message: optionalText })),
  events: z.array(z.object({ at: instant, type: z.string(), reason: z.string(), message: z.string(), container: optionalText, count: z.number() })),
  stoppedAt: z.object({ point: z.string(), phase: z.enum(['before', 'after']) }).optional(),
});
export type PodState = z.infer<typeof podSchema>;

/** A pod that may not be there yet. */
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

  /** Every pod that the page shows. @throws Error when it is no Podscope page */
  async #all(): Promise<readonly PodState[]> {
    const pods = await this.page.evaluate(() => {
      const { podscope } = globalThis as { podscope?: { pods(): unknown } };
      if (!podscope) throw new Error(`no Podscope page is open at ${location.href}: podscope.open() or playScenario() comes first`);
      return podscope.pods();
    });
    return z.array(podSchema).parse(pods);
  }

  /** What the page shows of it now; undefined when there is no such pod. One that was deleted and made anew is the newest. */
  async state(): Promise<PodState | undefined> {
    const pods = await this.#all();
    return pods.findLast(({ name, namespace }) => name === this.name && namespace === this.namespace);
  }

  /** Says that it is not there, and what is. */
  async others(): Promise<string> {
    const names = (await this.#all()).map(({ namespace, name }) => `${namespace}/${name}`);
    return `there is no such pod${names.length > 0 ? `; there are ${[...new Set(names)].join(', ')}` : ' and no other'}`;
  }

  toString(): string {
    return `pod ${this.namespace}/${this.name}`;
  }
}
