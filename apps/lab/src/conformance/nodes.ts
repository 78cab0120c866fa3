/** Reads the nodes that syncs were recorded on, from the directory of the recordings or from the project's copy. */
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NodeRecording, Release } from '@podscope/kuberuntime/testing';
import { z } from 'zod';
import { projectVectors } from './vector-files.ts';

const nodeSchema = z.object({
  node: z.object({
    status: z.object({
      allocatable: z.record(z.string(), z.string()),
      addresses: z.array(z.object({ address: z.string() })),
    }),
  }),
  clusterDNS: z.array(z.string()),
  clusterDomain: z.string(),
  resolvConf: z.string(),
  cgroupDriver: z.enum(['cgroupfs', 'systemd']),
  cgroupVersion: z.union([z.literal(1), z.literal(2)]).optional(),
  cpuCFSQuota: z.boolean(),
  machineMemoryBytes: z.number(),
  hugePageSizes: z.array(z.string()),
  seccompDefault: z.boolean().optional(),
  rootDir: z.string(),
  seccompProfileRoot: z.string(),
  runtimeName: z.string().optional(),
}) satisfies z.ZodType<NodeRecording>;

/** Reads each node file once. */
export class RecordedNodes {
  readonly #known = new Map<string, Promise<NodeRecording>>();

  /** Returns the node of a file of recordings. @throws Error if the node's file is invalid */
  of(file: string, release: Release): Promise<NodeRecording> {
    const directory = dirname(file);
    const key = `${directory} ${release}`;
    const node = this.#known.get(key) ?? readNode(directory, release);
    this.#known.set(key, node);
    return node;
  }
}

async function readNode(directory: string, release: Release): Promise<NodeRecording> {
  const name = `node-${release}.json`;
  const beside = join(directory, name);
  const text = await readFile(beside, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return readFile(join(projectVectors, name), 'utf8');
    throw error;
  });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${beside} is not JSON: ${(cause as Error).message}`, { cause });
  }
  const node = nodeSchema.safeParse(json);
  if (!node.success)
    throw new Error(`${beside} does not describe a node: ${z.prettifyError(node.error).replaceAll('\n', ' ')}`);
  return node.data;
}
