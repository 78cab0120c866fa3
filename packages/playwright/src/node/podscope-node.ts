/**
 * Drives a node: objects, virtual time, breakpoints and faults. Commands are sent through the page of Podscope that
 * follows the node.
 */
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { type NodeCondition, nodeState, wishOf } from './conditions.ts';
import { Breakpoints, Faults } from './debugger.ts';
import { type Duration, formatDuration, millisecondsOf } from './duration.ts';
import { callPage, PodHandle, type PodState, readPods } from './pod.ts';

/** A Kubernetes object. */
export type KubernetesObject = Readonly<Record<string, unknown>> & {
  readonly apiVersion: string;
  readonly kind: string;
};

/** YAML or JSON with one or more documents, an object (also a List), or several of these. */
export type Manifest = string | KubernetesObject | readonly (string | KubernetesObject)[];

const appliedSchema = z.object({
  kind: z.string(),
  namespace: z.string().optional(),
  name: z.string(),
  operation: z.enum(['created', 'configured', 'unchanged', 'valid']),
});

/** An object that was applied. */
export type AppliedObject = z.infer<typeof appliedSchema>;

const applySchema = z.object({
  applied: z.array(appliedSchema),
  errors: z.array(z.object({ message: z.string(), line: z.number().optional() })),
});

const stateSchema = z.object({
  run: z.string().optional(),
  time: z.object({ now: z.number(), speed: z.number(), paused: z.boolean() }).optional(),
});
const instantSchema = z.object({ now: z.number() });
const rerunSchema = z.object({ run: z.string() });

/** The longest virtual time that one command advances, in milliseconds. */
const longestStep = 86_400_000;
/** How often a node without virtual time is checked, in milliseconds. */
const pollInterval = 100;

const isList = (manifest: Manifest): manifest is readonly (string | KubernetesObject)[] => Array.isArray(manifest);

const textOf = (manifest: Manifest): string =>
  (isList(manifest) ? manifest : [manifest])
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join('\n---\n');

/** Controls a node through a page that follows it. */
export class PodscopeNode {
  /** The page of Podscope that follows the node. */
  readonly page: Page;
  /** The path of the node's kubeconfig; undefined for a node in the page. */
  readonly kubeconfig: string | undefined;
  readonly breakpoints: Breakpoints;
  readonly faults: Faults;

  constructor(page: Page, { kubeconfig }: { readonly kubeconfig?: string | undefined } = {}) {
    this.page = page;
    this.kubeconfig = kubeconfig;
    this.breakpoints = new Breakpoints((command) => this.command(command));
    this.faults = new Faults((command) => this.command(command));
  }

  /**
   * Returns a handle for a pod, which may not exist yet. @param name `web`, or `shop/web` for another namespace than
   * `default`
   */
  pod(name: string): PodHandle {
    return new PodHandle(this.page, name);
  }

  /** Returns all pods that the node has had, oldest first. */
  pods(): Promise<readonly PodState[]> {
    return readPods(this.page);
  }

  /** Sends any command of the protocol (docs/reference/protocol.md). @throws Error if the node rejects it */
  command(command: { readonly command: string; readonly [argument: string]: unknown }): Promise<unknown> {
    return callPage(this.page, 'command', command);
  }

  /**
   * Creates or updates objects, as `kubectl apply` does.
   * @returns what was applied, in order
   * @throws Error with every error in the manifest; nothing is applied then
   */
  async apply(manifest: Manifest): Promise<readonly AppliedObject[]> {
    const { applied, errors } = applySchema.parse(await this.command({ command: 'apply', manifest: textOf(manifest) }));
    if (errors.length > 0)
      throw new Error(
        errors.map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`)).join('\n'),
      );
    return applied;
  }

  /**
   * Deletes pods. `toBeGone` and `runUntil({ pod, gone: true })` wait until they have terminated.
   * @param name `web`, or `shop/web` for another namespace than `default`, or several names
   * @throws Error if there is no such pod
   */
  async delete(
    name: string | readonly string[],
    { gracePeriodSeconds }: { readonly gracePeriodSeconds?: number } = {},
  ): Promise<void> {
    for (const each of typeof name === 'string' ? [name] : name)
      await this.command({
        command: 'deletePod',
        ...PodHandle.parse(each),
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      });
  }

  /** Pauses virtual time. */
  async pause(): Promise<void> {
    await this.#requireVirtualTime('pause');
    await callPage(this.page, 'pause');
  }

  /** Lets virtual time pass. @param speed virtual seconds per real second, 0.1 to 1000; default: the last one, or 1 */
  async resume(speed?: number): Promise<void> {
    await this.#requireVirtualTime('resume');
    await this.command({ command: 'setTime', paused: false, ...(speed === undefined ? {} : { speed }) });
  }

  /** Advances virtual time by a duration at once, whether it is paused or not. */
  async advance(duration: Duration): Promise<void> {
    await this.#requireVirtualTime('advance');
    for (let left = millisecondsOf(duration); left > 0; left -= longestStep)
      await callPage(this.page, 'step', Math.min(left, longestStep));
  }

  /** Advances virtual time to the next change of a pod: status, container, back-off, event or stop. */
  async advanceToNextChange(): Promise<void> {
    await this.#requireVirtualTime('advanceToNextChange');
    await callPage(this.page, 'step', longestStep, true);
  }

  /**
   * Advances virtual time to the first moment at which the condition holds, and pauses there. Returns at once if it
   * holds already. The same pods and the same seed always lead to the same moment. On a node without virtual time,
   * waits in real time.
   * @param within the longest virtual time until then; default: `10m`
   * @throws Error with the state of the pod, or of all pods, if the condition isn't reached
   */
  async runUntil(condition: NodeCondition, { within = '10m' }: { readonly within?: Duration } = {}): Promise<void> {
    const wish = wishOf(condition);
    const limit = millisecondsOf(within);
    const time = await this.#time();
    const clock = time
      ? {
          now: instantSchema.parse(await callPage(this.page, 'pause')).now,
          move: async (most: number) =>
            instantSchema.parse(await callPage(this.page, 'step', Math.min(most, longestStep), true)).now,
        }
      : {
          now: Date.now(),
          move: async () => {
            await new Promise((resolve) => {
              setTimeout(resolve, pollInterval);
            });
            return Date.now();
          },
        };
    const end = clock.now + limit;
    for (let { now } = clock; ; now = await clock.move(end - now)) {
      const node = nodeState(await this.pods());
      if (wish.holds(node)) return;
      if (now >= end) throw new Error(wish.explain(node, `${formatDuration(limit)}${time ? ' of virtual time' : ''}`));
    }
  }

  /** Continues all stopped workers. */
  async continue(): Promise<void> {
    await this.command({ command: 'continue' });
  }

  stepOver(pod: string | PodHandle): Promise<void> {
    return this.#stepThread('next', pod);
  }

  stepIn(pod: string | PodHandle): Promise<void> {
    return this.#stepThread('stepIn', pod);
  }

  stepOut(pod: string | PodHandle): Promise<void> {
    return this.#stepThread('stepOut', pod);
  }

  /**
   * Replaces the node by a new one with the same seed: without pods, with paused time, without breakpoints and faults.
   * On a node without virtual time, deletes all pods and waits until they are gone.
   */
  async reset(): Promise<void> {
    await this.faults.clear();
    await this.breakpoints.clear();
    if (!(await this.hasVirtualTime())) {
      await this.#deleteAll();
      return;
    }
    const { run } = rerunSchema.parse(await this.command({ command: 'rerun', seq: 0 }));
    await this.page.waitForFunction(
      (wanted) =>
        (globalThis as { podscope?: { state(): { run?: string; lastSeq: number } } }).podscope?.state().run === wanted,
      run,
    );
  }

  async #deleteAll(): Promise<void> {
    const present = (await this.pods()).filter(({ isGone }) => !isGone);
    await this.delete(
      present.map(({ namespace, name }) => `${namespace}/${name}`),
      { gracePeriodSeconds: 0 },
    );
    await this.runUntil(({ pods }) => pods.every(({ isGone }) => isGone), { within: '1m' });
  }

  async #stepThread(command: 'next' | 'stepIn' | 'stepOut', pod: string | PodHandle): Promise<void> {
    const handle = typeof pod === 'string' ? this.pod(pod) : pod;
    const state = await handle.state();
    if (!state?.stoppedAt) throw new Error(`${handle.toString()} is not stopped`);
    await this.command({ command, thread: state.uid });
  }

  async #time(): Promise<z.infer<typeof stateSchema>['time']> {
    return stateSchema.parse(await callPage(this.page, 'state')).time;
  }

  /** Returns the node's time: its virtual time, or the machine's time on a node without virtual time. */
  async now(): Promise<Date> {
    return new Date((await this.#time())?.now ?? Date.now());
  }

  /** Returns true for a simulated node, whose time tests control. */
  async hasVirtualTime(): Promise<boolean> {
    return (await this.#time()) !== undefined;
  }

  async #requireVirtualTime(method: string): Promise<void> {
    if (!(await this.#time()))
      throw new Error(
        `node.${method} needs virtual time, which only a simulated node has: podscopeServer.runtime 'sim'`,
      );
  }
}
