/**
 * Runs command lines of the documentation in bash, with a clone of the repository as the working directory and a home
 * directory of its own.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

/** The npx of the shell: a test machine has no registry, so it runs pnpm's scripts of package.json without pnpm. */
const npx = `#!/bin/bash
[ "$1 $2" = '-y pnpm@12' ] || { echo "npx: $*" >&2; exit 64; }
script=$(node -p 'require("./package.json").scripts[process.argv[1]]' "$3")
shift 3
eval "exec env $script \\"\\$@\\""
`;

/** The end of a command line, with the output of both streams. */
interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** A command line that is still running. */
export interface Serving {
  readonly output: () => string;
  /** Stops the command like Ctrl+C. */
  interrupt(): Promise<Ended>;
}

/** A shell with a home directory, and a directory with the contents of a clone. */
export interface ShownShell {
  readonly clone: string;
  readonly home: string;
  /** Runs a line to its end. */
  run(line: string): Promise<Ended>;
  /**
   * Runs a command line until it has printed a text.
   * @throws Error with its output if it ends earlier
   */
  serve(line: string, expected: RegExp): Promise<Serving>;
  dispose(): Promise<void>;
}

/**
 * Returns a shell with files in its clone.
 * @param kubectl path of the kubectl that lines call
 */
export async function startShownShell(files: Readonly<Record<string, string>>, kubectl: string): Promise<ShownShell> {
  const folder = await mkdtemp(join(tmpdir(), 'shown-'));
  const [clone, home, bin] = [join(folder, 'podscope'), join(folder, 'home'), join(folder, 'bin')];
  const completions = ['.local/share/bash-completion/completions', '.config/fish/completions', '.zfunc'];
  for (const path of [clone, bin, ...['.local/bin', '.kube', ...completions].map((name) => join(home, name))])
    await mkdir(path, { recursive: true });
  for (const name of ['apps', 'packages', 'examples', 'node_modules', 'scripts'])
    await symlink(join(root, name), join(clone, name));
  await copyFile(join(root, 'package.json'), join(clone, 'package.json'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(clone, name)), { recursive: true });
    await writeFile(join(clone, name), text);
  }
  await writeFile(join(bin, 'npx'), npx);
  await chmod(join(bin, 'npx'), 0o755);
  if (kubectl.includes('/')) await symlink(kubectl, join(bin, 'kubectl'));
  const env = {
    ...process.env,
    PATH: [bin, join(home, '.local/bin'), dirname(process.execPath), process.env['PATH'] ?? ''].join(':'),
    HOME: home,
    // Override these variables, so that no command finds files of the caller.
    KUBECONFIG: join(home, '.kube/config'),
    XDG_STATE_HOME: undefined,
  };
  const running = new Set<() => Promise<Ended>>();

  const start = (line: string) => {
    // Use a separate process group, which receives Ctrl+C like the processes of a terminal.
    const child = spawn('bash', ['-c', line], { cwd: clone, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const ended = once(child, 'close').then(
      ([code, signal]: (number | NodeJS.Signals | null)[]): Ended => ({
        code: typeof code === 'number' ? code : null,
        signal: typeof signal === 'string' ? signal : null,
        output,
      }),
    );
    const interrupt = async (): Promise<Ended> => {
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, 'SIGINT');
      running.delete(interrupt);
      return ended;
    };
    running.add(interrupt);
    void ended.then(() => running.delete(interrupt));
    return { child, output: () => output, ended, interrupt };
  };

  return {
    clone,
    home,
    run: (line) => start(line).ended,
    async serve(line, expected) {
      const { child, output, ended, interrupt } = start(line);
      await new Promise<void>((served, fail) => {
        const look = (): void => {
          if (expected.test(output())) served();
        };
        for (const stream of [child.stdout, child.stderr]) stream.on('data', look);
        void ended.then(() => fail(new Error(`${line} ended:\n${output()}`)));
      });
      return { output, interrupt };
    },
    async dispose() {
      for (const interrupt of running) await interrupt();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
