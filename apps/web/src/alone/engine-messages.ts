/** What the page and the engine's worker say to each other beside the protocol, which goes over the ports that are handed over here. */
import { z } from 'zod';

/** How a run in the page begins. */
export const engineOptionsSchema = z.object({
  seed: z.union([z.number(), z.string()]).optional(),
  profile: z.enum(['v1.36', 'v1.20']).optional(),
  /** Id of a scenario to play. */
  scenario: z.string().optional(),
  /** Virtual seconds to a real one. */
  speed: z.number().min(0.1).max(1000).optional(),
  paused: z.boolean().optional(),
  /** A pod of another cluster, as kubectl printed it: the run goes on from there. */
  snapshot: z.object({ text: z.string(), pod: z.string() }).optional(),
  /** What the node is like, as YAML or JSON: docs/simulator.md. */
  simulation: z.string().optional(),
  /** Applied before time begins. */
  manifests: z.array(z.string()).optional(),
});
export type EngineOptions = z.infer<typeof engineOptionsSchema>;

export const toEngineSchema = z.discriminatedUnion('type', [
  /** The first message: makes the node. */
  z.object({ type: z.literal('start'), run: z.string(), version: z.string(), options: engineOptionsSchema }),
  /** Comes with a port, over which a session is served. */
  z.object({ type: z.literal('connect') }),
]);
export type ToEngine = z.infer<typeof toEngineSchema>;

/** What the engine says itself. */
export const fromEngineSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started') }),
  /** It cannot go on; the message is for people. */
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
export type FromEngine = z.infer<typeof fromEngineSchema>;

/** Over a session's port: a message of the protocol, or the end with its reason. */
export const portMessageSchema = z.union([z.string(), z.object({ closed: z.string() })]);
