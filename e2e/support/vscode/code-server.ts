/** Runs code-server, which is VS Code in a browser, with the extension of this repository. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const root = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** A running code-server. */
export interface CodeServer {
  /** Address with the workspace open. */
  readonly url: string;
  /** Directory of the workspace. */
  readonly workspace: string;
  stop(): Promise<void>;
}

/** Returns the program of code-server that `PODSCOPE_CODE_SERVER` names; undefined if it isn't installed. */
export function codeServerPath(): string | undefined {
  const path = process.env['PODSCOPE_CODE_SERVER'];
  return path !== undefined && existsSync(path) ? path : undefined;
}

/** Returns a free port of loopback. */
async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/**
 * Starts code-server with the extension installed and these files in the workspace.
 * @param program the program of code-server
 */
export async function startCodeServer(program: string, files: Readonly<Record<string, string>>): Promise<CodeServer> {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-vscode-'));
  const [workspace, user, extensions, out] = ['workspace', 'user', 'extensions', 'out'].map((name) =>
    join(directory, name),
  ) as [string, string, string, string];
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(workspace, name)), { recursive: true });
    await writeFile(join(workspace, name), text);
  }
  await run(process.execPath, [join(root, 'apps/package/src/main.ts'), 'build:extension', '--out', out], { cwd: root });
  const [vsix = ''] = await readdir(out);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const settings = {
    'workbench.startupEditor': 'none',
    'chat.disableAIFeatures': true,
    'extensions.autoCheckUpdates': false,
    'debug.openDebug': 'openOnSessionStart',
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
  };
  // In a browser, VS Code reads settings of the machine from another file than those of the user.
  const machineSettings = {
    'podscope.command': [process.execPath, join(root, 'apps/cli/src/main.ts')],
    'podscope.frameAncestors': [origin],
  };
  for (const [name, values] of Object.entries({ User: settings, Machine: machineSettings })) {
    await mkdir(join(user, name), { recursive: true });
    await writeFile(join(user, name, 'settings.json'), JSON.stringify(values));
  }
  const config = join(directory, 'config.yaml');
  await writeFile(config, '');
  const common = ['--user-data-dir', user, '--extensions-dir', extensions, '--config', config];
  const environment = { ...process.env, HOME: directory };
  await run(process.execPath, [program, ...common, '--install-extension', join(out, vsix)], { env: environment });
  const server = spawn(
    process.execPath,
    [
      program,
      ...common,
      '--bind-addr',
      `127.0.0.1:${port}`,
      '--auth',
      'none',
      '--disable-telemetry',
      '--disable-update-check',
      '--disable-workspace-trust',
      workspace,
    ],
    { env: environment, stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exited = once(server, 'exit');
  let output = '';
  await new Promise<void>((listening, fail) => {
    for (const stream of [server.stdout, server.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.includes('HTTP server listening')) listening();
      });
    server.once('exit', () => fail(new Error(`code-server did not start:\n${output}`)));
  });
  return {
    url: `${origin}/?folder=${encodeURIComponent(workspace)}`,
    workspace,
    stop: async () => {
      server.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
