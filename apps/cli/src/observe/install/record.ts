/** Reads the record of an installation, which has everything that its removal needs. */
import { z } from 'zod';
import type { Host } from './host.ts';

/** Path of the record. */
export const recordFile = '/var/lib/podscope/relay-installation.json';

const recordSchema = z.object({
  version: z.literal(1),
  unit: z.string(),
  listen: z.string(),
  endpoint: z.string(),
  /** The separate endpoint of the image service, if the kubelet used one. */
  imageEndpoint: z.string().optional(),
  /** The URL of the kubelet's health endpoint. */
  healthz: z.string().optional(),
  /** The directories that the installation creates, parents first. */
  directories: z.array(z.string()).default([]),
  files: z.array(z.object({ path: z.string(), before: z.string().optional(), after: z.string() })),
});
export type InstallationRecord = z.infer<typeof recordSchema>;

/** Returns the record, or undefined if the relay isn't installed. @throws Error if the record can't be read */
export async function readRecord(host: Host): Promise<InstallationRecord | undefined> {
  const text = await host.read(recordFile);
  return text === undefined ? undefined : recordSchema.parse(JSON.parse(text));
}

/** Returns the path of the installed relay's socket; undefined if no relay is installed or the record is unreadable. */
export const installedSocket = (host: Host): Promise<string | undefined> =>
  readRecord(host).then(
    (record) => record?.listen,
    () => undefined,
  );
