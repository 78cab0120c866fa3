/** Loads kubeconfigs as kubectl does. Upstream: client-go clientcmd. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { z } from 'zod';
import { StartError } from '../start-error.ts';

export interface KubeConfigOptions {
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  /** The context of the kubeconfig. Default: the current one. */
  readonly context: string | undefined;
}

/**
 * Returns the kubeconfig that kubectl would read: the first file of KUBECONFIG that exists, else `~/.kube/config`.
 * @param given the path of `--kubeconfig`
 */
export function defaultKubeConfig(given: string | undefined): string {
  if (given !== undefined) return given;
  const listed = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  return listed.find((path) => existsSync(path)) ?? listed[0] ?? join(homedir(), '.kube/config');
}

const tokenFiles = z.object({
  users: z
    .array(z.object({ name: z.string(), user: z.object({ tokenFile: z.string().optional() }).nullish() }))
    .nullish(),
});

/** Reads `tokenFile`, which kubectl uses instead of `token` and the client library doesn't support. */
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
    config.loadFromFile(kubeconfig);
    readTokenFiles(config, kubeconfig);
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
