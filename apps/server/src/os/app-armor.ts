/**
 * Reads whether this machine's kernel enforces AppArmor, and which profiles are loaded. Upstream: pkg/security/apparmor
 * (v1.20), IsAppArmorEnabled.
 */
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NodeConfiguration } from '@podscope/kubelet';

type AppArmorHost = NonNullable<NodeConfiguration['appArmor']>;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/**
 * Returns the AppArmor state of this machine. Inside a container (`$container` is set), AppArmor counts as disabled, as
 * upstream.
 * @param root the root of the file system; only tests use another one
 */
export async function appArmorHost(
  root = '/',
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<AppArmorHost> {
  const securityfs = join(root, 'sys/kernel/security/apparmor');
  const parameter = join(root, 'sys/module/apparmor/parameters/enabled');
  const enabled =
    !environment['container'] &&
    (await exists(securityfs)) &&
    (await exists(join(root, 'sbin/apparmor_parser'))) &&
    (await readFile(parameter, 'utf8').catch(() => '')).startsWith('Y');
  return {
    enabled,
    loadedProfiles: async () => {
      const text = await readFile(join(securityfs, 'profiles'), 'utf8');
      // Each line is `name (mode)`. A name may contain spaces.
      return new Set([...text.matchAll(/^(.+) \([a-z]+\)$/gm)].map(([, name = '']) => name));
    },
  };
}
