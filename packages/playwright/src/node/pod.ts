/** Reads the state of one pod from the page, for the matchers. */
import type { Page } from '@playwright/test';
import { z } from 'zod';

const optionalText = z.string().optional();

/** A time in milliseconds since the page first observed the pod. */
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

const timeSchema = z.object({ time: z.object({ paused: z.boolean() }).optional() });

/** Calls a function of the page's `podscope` global. @throws Error with the page's message, without its stack */
export async function callPage(page: Page, call: string, ...args: readonly unknown[]): Promise<unknown> {
  try {
    return await page.evaluate(
      ({ name, values }) => {
        const { podscope } = globalThis as { podscope?: Record<string, (...given: unknown[]) => unknown> };
        const called = podscope?.[name];
        if (!called)
          throw new Error(
            `no Podscope page is open at ${location.href}: ` +
              'call podscope.open(), openAlone() or playScenario() first, or use the fixture node',
          );
        return called(...values);
      },
      { name: call, values: args },
    );
  } catch (error) {
    throw new Error(messageOf(error), { cause: error });
  }
}

/** Returns the message of an error in the page, without Playwright's prefix and the page's stack. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error))
    .replace(/^page\.evaluate: (?:Error: )?/, '')
    .replace(/\n {4}at [^]*$/, '');

/** Returns every pod that the page shows. @throws Error if this isn't a Podscope page */
export const readPods = async (page: Page): Promise<readonly PodState[]> =>
  z.array(podSchema).parse(await callPage(page, 'pods'));

/** Refers to a pod that may not exist yet. */
export class PodHandle {
  readonly page: Page;
  readonly namespace: string;
  readonly name: string;

  /** @param name `web`, or `shop/web` for another namespace than `default` */
  constructor(page: Page, name: string) {
    this.page = page;
    ({ namespace: this.namespace, name: this.name } = PodHandle.parse(name));
  }

  /** Returns namespace and name of `web` or `shop/web`. */
  static parse(name: string): { readonly namespace: string; readonly name: string } {
    const [first = '', second] = name.split('/');
    return second === undefined ? { namespace: 'default', name: first } : { namespace: first, name: second };
  }

  /**
   * Returns the pod's current state in the page, or undefined if the page has no such pod. If the pod was deleted and
   * created again, the newest one counts.
   */
  async state(): Promise<PodState | undefined> {
    const pods = await readPods(this.page);
    return pods.findLast(({ name, namespace }) => name === this.name && namespace === this.namespace);
  }

  /** Returns a message that the pod doesn't exist, with the names of the pods that do. */
  async others(): Promise<string> {
    const names = (await readPods(this.page)).map(({ namespace, name }) => `${namespace}/${name}`);
    const others = names.length > 0 ? `; there are ${[...new Set(names)].join(', ')}` : ' and no other';
    return `there is no such pod${others}`;
  }

  /** Returns true if the pod's node is in virtual time that is paused. */
  async isPaused(): Promise<boolean> {
    const state = await callPage(this.page, 'state').catch(() => undefined);
    return timeSchema.safeParse(state).data?.time?.paused ?? false;
  }

  toString(): string {
    return `pod ${this.namespace}/${this.name}`;
  }
}
