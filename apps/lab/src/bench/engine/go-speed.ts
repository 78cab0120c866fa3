/**
 * Reads the times that the genuine kubelet's Go code needs for the same work. The times are stored beside the vectors.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { projectVectors } from '../../conformance/vector-files.ts';

/** Smallest and largest value of several runs, in microseconds. */
const range = z.tuple([z.number(), z.number()]);
const releaseSchema = z.object({
  go: z.string(),
  computeMean: range,
  computeMedian: range.optional(),
  noopSync: range,
  noopSyncWithoutResolvConf: range,
});
const schema = z.object({
  about: z.string(),
  how: z.string(),
  releases: z.object({ 'v1.20': releaseSchema, 'v1.36': releaseSchema }),
});

export type GoSpeed = z.infer<typeof schema>;

export const readGoSpeed = async (): Promise<GoSpeed> =>
  schema.parse(JSON.parse(await readFile(join(projectVectors, 'go-speed.json'), 'utf8')));
