/** Declares the commands that describe the node itself: its object, its ConfigMaps and Secrets, and its usage. */
import { z } from 'zod';

export const inventoryCommandSchemas = [
  z
    .object({ command: z.literal('getNode') })
    .describe(
      'Returns the Node object, and the ConfigMaps and Secrets that pods can use. Values of Secrets are omitted, ' +
        'long values of ConfigMaps are cut. Result: NodeInventory { node, configMaps, secrets }.',
    ),
  z
    .object({ command: z.literal('nodeUsage') })
    .describe(
      'Returns the CPU and memory that the node and its pods use, as `kubectl top` does. A simulation doesn’t have ' +
        'it. Result: NodeUsage { cpuNanoCores, workingSetBytes, pods }.',
    ),
] as const;

const configurationSchema = z.object({
  namespace: z.string(),
  name: z.string(),
  /** The entries of `data` and `binaryData`. */
  entries: z.array(
    z.object({
      key: z.string(),
      /** The size of the value. */
      bytes: z.int(),
      /** The beginning of the value; absent for values of Secrets and for binary values. */
      text: z.string().optional(),
    }),
  ),
});
export type NodeConfiguration = z.infer<typeof configurationSchema>;

export const nodeInventorySchema = z.object({
  /** The v1.Node without managed fields. */
  node: z.record(z.string(), z.unknown()),
  configMaps: z.array(configurationSchema),
  secrets: z.array(configurationSchema.extend({ type: z.string() })),
});
export type NodeInventory = z.infer<typeof nodeInventorySchema>;

const usageSchema = z.object({
  /** Average CPU usage, in billionths of a core. */
  cpuNanoCores: z.number(),
  workingSetBytes: z.number(),
});

export const nodeUsageSchema = usageSchema.extend({
  pods: z.array(usageSchema.extend({ namespace: z.string(), name: z.string() })),
});
export type NodeUsage = z.infer<typeof nodeUsageSchema>;
