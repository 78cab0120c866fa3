/** Installs code-server, which is VS Code in a browser, for the tests of the extension. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { must } from '../lib/run.ts';

const version = '4.139.1';

/** Modules of VS Code's server that have to be compiled: without them its extension host doesn't start. */
const nativeModules = ['@vscode/spdlog', '@vscode/native-watchdog'];

/**
 * Returns the path of its program, or undefined with the reason on the console if it can't be installed. The first call
 * installs it with npm below `cache`: without the packages' own scripts, which download programs.
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
    await must('npm', ['rebuild', ...nativeModules], { cwd: server });
    await must('npm', install, { cwd: join(server, 'extensions') });
    await writeFile(complete, '');
    return program;
  } catch (error) {
    console.log(`code-server can't be installed: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}
