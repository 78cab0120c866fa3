/** Installs the Debian packages that the tests need. If this isn't possible, prints the missing packages. */
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromiumPath, headlessShell } from '../../e2e/support/page/chromium.ts';
import { must, run, which } from '../lib/run.ts';

/** Programs that the tests start, and the Debian package of each. */
const programs: Readonly<Record<string, string>> = {
  dockerd: 'docker.io',
  docker: 'docker.io',
  iptables: 'iptables',
  ip: 'iproute2',
  openssl: 'openssl',
  'docker-registry': 'docker-registry',
  containerd: 'containerd',
  ctr: 'containerd',
};

/** Files that the tests read, and the Debian package of each. */
const files: Readonly<Record<string, string>> = {
  '/bin/busybox': 'busybox-static',
  '/usr/lib/cni/bridge': 'containernetworking-plugins',
};

const canInstall = async (): Promise<boolean> => process.getuid?.() === 0 && (await which('apt-get')) !== undefined;

const aptEnvironment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
/** Options that let apt wait for its lock, because another test run may be installing the same packages. */
const patiently = ['-o', 'DPkg::Lock::Timeout=600'];

const shellPackage = 'chromium-headless-shell';

/**
 * Returns the package of the browser if it is missing. Debian has the headless shell, Ubuntu only the whole browser.
 */
async function missingBrowser(): Promise<string | undefined> {
  if (existsSync(headlessShell)) return undefined;
  if ((await canInstall()) && (await run('apt-cache', ['show', shellPackage])).code === 0) return shellPackage;
  return chromiumPath() === undefined ? 'chromium' : undefined;
}

async function missingPackages(): Promise<string[]> {
  const missing = new Set<string>();
  for (const [program, name] of Object.entries(programs)) if (!(await which(program))) missing.add(name);
  for (const [file, name] of Object.entries(files)) if (!existsSync(file)) missing.add(name);
  const browser = await missingBrowser();
  return browser === undefined ? [...missing] : [...missing, browser];
}

/**
 * Installs the programs that the tests start, if this is Debian and the process is root. Otherwise prints what is
 * missing.
 */
export async function preparePackages(): Promise<void> {
  const missing = await missingPackages();
  if (missing.length === 0) return;
  if (!(await canInstall())) {
    console.log(`Not installed: ${missing.join(', ')}. The tests that need them don't run here.`);
    console.log(`On Debian or Ubuntu: sudo apt-get install ${missing.join(' ')}`);
    return;
  }
  console.log(`Installing ${missing.join(', ')} …`);
  if (chromiumPath() !== undefined && missing.every((name) => name === shellPackage)) {
    // Without a network, the tests use an installed browser.
    await run('apt-get', [...patiently, 'install', '-y', '--no-install-recommends', ...missing], {
      env: aptEnvironment,
    });
    return;
  }
  await must('apt-get', [...patiently, 'update'], { env: aptEnvironment });
  // On a machine without package lists, the available packages are known only after the update.
  const packages = await missingPackages();
  await must('apt-get', [...patiently, 'install', '-y', '--no-install-recommends', ...packages], {
    env: aptEnvironment,
  });
  const left = await missingPackages();
  if (left.length > 0) throw new Error(`still missing after the installation: ${left.join(', ')}`);
}

/** Returns the kubectl programs to test: the program in PATH, and Debian's program, which is unpacked into `cache`. */
export async function prepareKubectl(cache: string): Promise<readonly string[]> {
  const found: string[] = [];
  const installed = await which('kubectl');
  if (installed) found.push(installed);
  const unpacked = join(cache, 'kubernetes-client', 'usr', 'bin', 'kubectl');
  if (!existsSync(unpacked) && (await canInstall())) {
    const folder = join(cache, 'kubernetes-client');
    await mkdir(folder, { recursive: true });
    const download = async (): Promise<boolean> =>
      (await run('apt-get', ['download', 'kubernetes-client'], { cwd: folder, env: aptEnvironment })).code === 0;
    if (!(await download())) {
      await must('apt-get', [...patiently, 'update'], { env: aptEnvironment });
      await download();
    }
    const archive = (await readdir(folder)).find((name) => name.endsWith('.deb'));
    if (archive) await must('dpkg', ['-x', join(folder, archive), folder]);
  }
  if (existsSync(unpacked)) found.push(unpacked);
  return found;
}
