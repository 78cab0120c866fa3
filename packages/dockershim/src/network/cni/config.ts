/**
 * Parses network configurations from `.conflist` files, and from `.conf` and `.json` files with a single plugin.
 * Upstream: libcni conf.go.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { CriError } from '@podscope/cri';
import { z } from 'zod';
import { oldestVersion } from './versions.ts';

const pluginSchema = z.looseObject({ type: z.string(), capabilities: z.record(z.string(), z.boolean()).optional() });
const listSchema = z.looseObject({
  name: z.string().min(1),
  cniVersion: z.string().optional(),
  disableCheck: z.boolean().optional(),
  plugins: z.array(pluginSchema).min(1),
});

/** A plugin in a list. The schema keeps unknown keys, because they belong to the plugin. */
export type CniPluginConfig = z.output<typeof pluginSchema>;

/** A network configuration list. */
export interface CniNetwork {
  readonly name: string;
  readonly cniVersion: string;
  readonly disableCheck: boolean;
  readonly plugins: readonly CniPluginConfig[];
  /** The text from which the list was parsed. */
  readonly text: string;
}

/**
 * Parses a configuration list.
 * @throws Error with the reason
 */
export function parseNetwork(text: string): CniNetwork {
  let content: z.output<typeof listSchema>;
  try {
    content = listSchema.parse(JSON.parse(text));
  } catch (cause) {
    const why = cause instanceof z.ZodError ? z.prettifyError(cause) : (cause as Error).message;
    throw new Error(`error parsing configuration list: ${why}`, { cause });
  }
  const { name, cniVersion, disableCheck = false, plugins } = content;
  return { name, cniVersion: cniVersion || oldestVersion, disableCheck, plugins, text };
}

/** Converts the configuration of a single plugin to a list. Upstream: ConfListFromConf (libcni). */
function asList(text: string): string {
  const plugin = z
    .looseObject({ name: z.string().optional(), cniVersion: z.string().optional(), type: z.string().optional() })
    .parse(JSON.parse(text));
  if (!plugin.type) throw new Error("error parsing configuration: missing 'type'");
  return JSON.stringify({ name: plugin.name, cniVersion: plugin.cniVersion, plugins: [plugin] });
}

const extensions: ReadonlySet<string> = new Set(['.conf', '.conflist', '.json']);

/**
 * Returns the configuration files of a directory in the order in which they are tried: by the bytes of their names.
 */
export async function configurationFiles(directory: string): Promise<string[]> {
  const names = await readdir(directory).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [];
    throw new CriError('Unknown', `cannot read the CNI configuration directory ${directory}: ${cause.message}`, {
      cause,
    });
  });
  const wanted = names.filter((name) => extensions.has(extname(name)));
  return wanted.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))).map((name) => join(directory, name));
}

/**
 * Reads a configuration file.
 * @throws Error with the reason
 */
export async function readNetwork(file: string): Promise<CniNetwork> {
  const text = await readFile(file, 'utf8');
  return parseNetwork(extname(file) === '.conflist' ? text : asList(text));
}
