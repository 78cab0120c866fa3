/**
 * Defines the messages between the page and the engine's worker, which transfer ports. Protocol messages are sent over
 * these ports.
 */
import { z } from 'zod';

/** Options of a run in the page. */
export const engineOptionsSchema = z.object({
  seed: z.union([z.number(), z.string()]).optional(),
  profile: z.enum(['v1.36', 'v1.20']).optional(),
  /** Id of a scenario to play. */
  scenario: z.string().optional(),
  /** A scenario of the user's own, as parsed YAML (docs/learn/lessons.md). It takes the place of `scenario`. */
  ownScenario: z.unknown().optional(),
  /** Virtual seconds per real second. */
  speed: z.number().min(0.1).max(1000).optional(),
  paused: z.boolean().optional(),
  /** Virtual seconds that pass at once, at the start of the run. */
  time: z.number().min(0).max(86_400).optional(),
  /** A pod from another cluster, as kubectl prints it. The run continues from the pod's state. */
  snapshot: z.object({ text: z.string(), pod: z.string() }).optional(),
  /** Configuration of the node as YAML or JSON: docs/use/simulator.md. */
  simulation: z.string().optional(),
  /** Manifests that are applied before time starts. */
  manifests: z.array(z.string()).optional(),
});
export type EngineOptions = z.infer<typeof engineOptionsSchema>;

export const toEngineSchema = z.discriminatedUnion('type', [
  /** First message: creates the node. */
  z.object({ type: z.literal('start'), run: z.string(), options: engineOptionsSchema }),
  /**
   * First message of the site's start script (site-page.ts): creates the node with the options of a query string.
   * `since` is the start of the navigation, in milliseconds since the Unix epoch.
   */
  z.object({ type: z.literal('startAddressed'), run: z.string(), search: z.string(), since: z.number() }),
  /** Requests a session. The message transfers a port, over which the session runs. */
  z.object({ type: z.literal('connect') }),
]);
export type ToEngine = z.infer<typeof toEngineSchema>;

/** Messages of the engine itself. */
export const fromEngineSchema = z.object({
  /** The node didn't start, so no session can open. `message` is readable. */
  type: z.literal('failed'),
  message: z.string(),
});
export type FromEngine = z.infer<typeof fromEngineSchema>;

/** A message on the port of a session: a protocol message, or the reason why the session was closed. */
export const portMessageSchema = z.union([z.string(), z.object({ closed: z.string() })]);
