/** One pod of the node in the page, by name: what a matcher looks at. */
import type { Page } from '@playwright/test';
import { z } from 'zod';

const optionalText = z.string().optional();

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
  containers: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      attempt: z.number(),
      state: z.string(),
      exitCode: z.number().optional(),
      reason: optionalText,
      backOff: z.object({ kind: z.enum(['container', 'image']), seconds: z.number(), remaining: z.number() }).optional(),
    }),
  ),
  results: z.array(z.object({ sync: z.number(), action: z.string(), target: z.string(), error: optionalText, message: optionalText })),
  events: z.array(z.object({ type: z.string(), reason: z.string(), message: z.string(), container: optionalText, count: z.number() })),
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

  /** What the page shows of it now; undefined when there is no such pod. */
  async state(): Promise<PodState | undefined> {
    const pods = await this.page.evaluate(() => {
      const { podscope } = globalThis as { podscope?: { pods(): unknown } };
      return podscope?.pods() ?? [];
    });
    const named = z
      .array(podSchema)
      .parse(pods)
      .filter(({ name, namespace }) => name === this.name && namespace === this.namespace);
    // One that was deleted and made anew is the newest.
    return named.at(-1);
  }

  toString(): string {
    return `pod ${this.namespace}/${this.name}`;
  }
}
