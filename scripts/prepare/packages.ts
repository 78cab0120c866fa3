/** Installs Debian packages that the tests need, where that is possible; says what is missing where it isn't. */
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { must, run, which } from '../lib/run.ts';

/** Programs the tests start, and the Debian package each comes from. */
const programs: Readonly<Record<string, string>> = {
  dockerd: 'docker.io',
  docker: 'docker.io',
  iptables: 'iptables',
  chromium: 'chromium',
  'docker-registry': 'docker-registry',
  containerd: 'containerd',
  ctr: 'containerd',
};

/** Files the tests read, and the package each comes from. */
const files: Readonly<Record<string, string>> = { '/bin/busybox': 'busybox-static', '/usr/lib/cni/bridge': 'containernetworking-plugins' };

const canInstall = async (): Promise<boolean> => process.getuid?.() === 0 && (await which('apt-get')) !== undefined;

const aptEnvironment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };

async function missingPackages(): Promise<string[]> {
  const missing = new Set<string>();
  for (const [program, name] of Object.entries(programs)) if (!(await which(program))) missing.add(name);
  for (const [file, name] of Object.entries(files)) if (!existsSync(file)) missing.add(name);
  return [...missing];
}

/**
 * Makes the programs available that the tests start.
 * @throws Error that names what is missing where it can't be installed.
 */
export async function preparePackages(): Promise<void> {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  if (!(await canInstall())) {
    throw new Error(
      `missing: ${missing.join(', ')}. On Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}. ` +
        'Elsewhere install Docker Engine, Chromium, a static busybox at /bin/busybox and the docker-registry program by other means; on Debian as root the tests do this themselves.',
    );
  }
  console.log(`Installing ${missing.join(', ')} …`);
  await must('apt-get', ['update'], { env: aptEnvironment });
  await must('apt-get', ['install', '-y', '--no-install-recommends', ...missing], { env: aptEnvironment });
  const left = await missingPackages();
  if (left.length > 0) throw new Error(`still missing after installing: ${left.join(', ')}`);
}

/**
 * The kubectl programs to test with: the one in PATH, and Debian's own, unpacked beside the project so that it can't collide with another.
 * @throws Error that names the remedy when there is none at all.
 */
export async function prepareKubectl(cache: string): Promise<readonly string[]> {
  const found: string[] = [];
  const installed = await which('kubectl');
  if (installed) found.push(installed);
  const unpacked = join(cache, 'kubernetes-client', 'usr', 'bin', 'kubectl');
  if (!existsSync(unpacked) && (await canInstall())) {
    const folder = join(cache, 'kubernetes-client');
    await mkdir(folder, { recursive: true });
    const download = async (): Promise<boolean> => (await run('apt-get', ['download', 'kubernetes-client'], { cwd: folder, env: aptEnvironment })).code === 0;
    if (!(await download())) {
      await must('apt-get', ['update'], { env: aptEnvironment });
      await download();
    }
    const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'));
    if (archive) await must('dpkg', ['-x', join(folder, archive), folder]);
  }
  if (existsSync(unpacked)) found.push(unpacked);
  if (found.length === 0) throw new Error('missing: kubectl. Install it (Debian: apt-get install kubernetes-client).');
  return found;
}
