/** Installs code-server, which is VS Code in a browser, for the tests of the extension. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { must } from '../lib/run.ts';

const version = '4.139.1';

/** Modules of VS Code's server that have to be compiled. Without them, its extension host doesn't start. */
const nativeModules = ['@vscode/spdlog', '@vscode/native-watchdog'];

/**
 * Returns the directory with the header files of this Node.js: its own, or those of npm's package of the same release.
 * Without them, node-gyp would download the files from nodejs.org, which some machines can't reach.
 */
async function headers(directory: string): Promise<string> {
  const own = dirname(dirname(process.execPath));
  if (existsSync(join(own, 'include/node/node_api.h'))) return own;
  const name = `node-${process.platform}-${process.arch}`;
  const to = join(directory, 'headers');
  await mkdir(to, { recursive: true });
  const install = ['install', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--prefix', to];
  await must('npm', [...install, `${name}@${process.versions.node}`], { cwd: to });
  return join(to, 'node_modules', name);
}

/**
 * Returns the path of the program code-server. If it can't be installed, prints the reason and returns undefined. The
 * first call installs it with npm below `cache`, without the packages' own scripts, which would download programs.
 */
export async function prepareCodeServer(cache: string): Promise<string | undefined> {
  const directory = join(cache, `code-server-${version}`);
  const installed = join(directory, 'node_modules/code-server');
  const [program, complete] = [join(installed, 'out/node/entry.js'), join(directory, '.complete')];
  if (existsSync(complete)) return program;
  const install = ['install', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'];
  try {
    await mkdir(directory, { recursive: true });
    await must('npm', [...install, '--no-save', '--prefix', directory, `code-server@${version}`], { cwd: directory });
    const server = join(installed, 'lib/vscode');
    await must('npm', install, { cwd: server });
    const env = { ...process.env, npm_config_nodedir: await headers(directory) };
    await must('npm', ['rebuild', ...nativeModules], { cwd: server, env });
    await must('npm', install, { cwd: join(server, 'extensions') });
    await writeFile(complete, '');
    return program;
  } catch (error) {
    console.log(`code-server can't be installed: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
