/** Loads kubeconfigs with kubectl's rules. Upstream: client-go clientcmd. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { z } from 'zod';
import { StartError } from '../start-error.ts';

export interface KubeConfigOptions {
  /** Path of a kubeconfig, or several paths in the format of KUBECONFIG. */
  readonly kubeconfig: string;
  /** The context of the kubeconfig. Default: the current context. */
  readonly context: string | undefined;
}

/**
 * Returns the kubeconfig paths that kubectl would read: those in KUBECONFIG in the same format, or `~/.kube/config` if
 * the variable isn't set.
 * @param given the path in `--kubeconfig`; if it is set, only this file is read
 */
export function defaultKubeConfig(given: string | undefined): string {
  if (given !== undefined) return given;
  const listed = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.length > 0 ? listed.join(delimiter) : join(homedir(), '.kube/config');
}

/** Returns the files to merge. Missing files of a list are ignored, as in kubectl. */
function filesOf(kubeconfig: string): readonly string[] {
  if (existsSync(kubeconfig) || !kubeconfig.includes(delimiter)) return [kubeconfig];
  const present = kubeconfig.split(delimiter).filter((path) => existsSync(path));
  return present.length > 0 ? present : [kubeconfig];
}

/** Returns the entries of all files. If several entries have the same name, the one in the first file wins. */
const merged = <T extends { readonly name: string }>(lists: readonly (readonly T[] | undefined)[]): T[] => {
  const byName = new Map<string, T>();
  for (const entry of lists.flatMap((list) => list ?? [])) if (!byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()];
};

const tokenFiles = z.object({
  users: z
    .array(z.object({ name: z.string(), user: z.object({ tokenFile: z.string().optional() }).nullish() }))
    .nullish(),
});

/**
 * Reads the file that `tokenFile` names. kubectl prefers this field to `token`, but the client library doesn't support
 * it.
 */
function readTokenFiles(config: KubeConfig, kubeconfig: string): void {
  const { users } = tokenFiles.parse(parse(readFileSync(kubeconfig, 'utf8')));
  const paths = new Map((users ?? []).map(({ name, user }) => [name, user?.tokenFile]));
  config.users = config.users.map((user) => {
    const path = paths.get(user.name);
    return path ? { ...user, token: readFileSync(resolve(dirname(kubeconfig), path), 'utf8').trim() } : user;
  });
}

/** Loads the kubeconfig. @throws StartError if the file or context doesn't exist */
export function loadKubeConfig({ kubeconfig, context }: KubeConfigOptions, config = new KubeConfig()): KubeConfig {
  try {
    const files = filesOf(kubeconfig).map((path) => {
      const file = new KubeConfig();
      // Relative paths in a kubeconfig start at the kubeconfig's directory.
      file.loadFromFile(path);
      readTokenFiles(file, path);
      return file;
    });
    // For every value and name, the first file that contains it wins. Upstream: ClientConfigLoadingRules.Load.
    config.clusters = merged(files.map(({ clusters }) => clusters));
    config.users = merged(files.map(({ users }) => users));
    config.contexts = merged(files.map(({ contexts }) => contexts));
    config.currentContext = files.find(({ currentContext }) => currentContext)?.currentContext ?? '';
  } catch (error) {
    throw new StartError(`--kubeconfig ${kubeconfig}: ${(error as Error).message}`, { cause: error });
  }
  const names = config.getContexts().map(({ name }) => name);
  if (context !== undefined && !names.includes(context))
    throw new StartError(
      `--context ${JSON.stringify(context)}: ${kubeconfig} has ` +
        (names.length === 0 ? 'no contexts' : names.join(', ')),
    );
  if (context !== undefined) config.setCurrentContext(context);
  if (!config.getCurrentCluster())
    throw new StartError(
      `${kubeconfig} has no current context: name one with --context (${names.join(', ') || 'there are none'})`,
    );
  return config;
}
