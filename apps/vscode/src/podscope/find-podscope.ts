/** Finds the program podscope that serves the debug adapter. */

/** A program with its first arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** The directory to run it in; absent for the one of the caller. */
  readonly cwd?: string;
}

/** A Podscope that can be started. */
export interface FoundPodscope extends Program {
  readonly origin: 'setting' | 'workspace' | 'repository' | 'path' | 'npx';
  readonly version: string;
}

/** Facts and functions of the machine that the search uses. */
export interface SearchEnvironment {
  /** The setting `podscope.command`: a program with its first arguments; empty if it isn't set. */
  readonly command: readonly string[];
  /** Directories of the workspace; empty if the workspace isn't trusted. */
  readonly folders: readonly string[];
  /** Returns true if the file exists. */
  readonly exists: (path: string) => Promise<boolean>;
  /** Runs a program and returns its standard output. @throws if it can't be started, fails or hangs */
  readonly run: (program: Program) => Promise<string>;
  /** Asks whether npx may download Podscope. */
  readonly mayUseNpx: () => Promise<boolean>;
  /**
   * Directory of the extension. npx runs in it, because npm reads `.npmrc` and looks for programs in the directory that
   * it runs in: a workspace could choose another registry or program.
   */
  readonly storage: string;
}

/** Why no Podscope was found. */
export class NoPodscopeError extends Error {
  override readonly name = 'NoPodscopeError';
  /** The programs that were tried, with the reason why each can't be used. */
  readonly attempts: readonly string[];

  constructor(attempts: readonly string[]) {
    super(attempts.join('\n'));
    this.attempts = attempts;
  }
}

const join = (folder: string, path: string): string => `${folder.replace(/[/\\]$/, '')}/${path}`;

/** Returns the program of a folder: the installed package, or this folder's clone of Podscope. */
async function inFolder(
  folder: string,
  { exists }: SearchEnvironment,
): Promise<(Program & { readonly origin: 'workspace' | 'repository' }) | undefined> {
  // Node runs the package's program itself, because Windows can't start the script in node_modules/.bin directly.
  const installed = join(folder, 'node_modules/podscope/bin/podscope.cjs');
  if (await exists(installed)) return { command: 'node', args: [installed], origin: 'workspace' };
  const [main, node] = [join(folder, 'apps/cli/src/main.ts'), join(folder, 'node_modules/.bin/node')];
  if ((await exists(main)) && (await exists(join(folder, 'packages/kuberuntime/package.json'))) && (await exists(node)))
    return { command: node, args: [main], origin: 'repository' };
  return undefined;
}

/** Returns the version that a program prints. @throws Error with the reason if it isn't a Podscope */
async function versionOf(program: Program, { run }: SearchEnvironment): Promise<string> {
  const output = await run({ ...program, args: [...program.args, '--version'] });
  const version = /^(\d+\.\d+\.\d+\S*)\s*$/.exec(output)?.[1];
  if (version === undefined) throw new Error(`--version printed ${JSON.stringify(output.slice(0, 80))}`);
  return version;
}

/**
 * Returns the first Podscope that works: of the setting, of a folder of the workspace, of PATH, or through npx with
 * consent. A setting that doesn't work is an error, and nothing else is tried.
 * @param version the version that npx installs
 * @throws NoPodscopeError
 */
export async function findPodscope(environment: SearchEnvironment, version: string): Promise<FoundPodscope> {
  const attempts: string[] = [];
  const attempt = async (program: Program, origin: FoundPodscope['origin']): Promise<FoundPodscope | undefined> => {
    try {
      return { ...program, origin, version: await versionOf(program, environment) };
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      attempts.push(`${[program.command, ...program.args].join(' ')}: ${said.trim().split('\n')[0]}`);
      return undefined;
    }
  };
  const [command, ...args] = environment.command;
  if (command !== undefined) {
    const found = await attempt({ command, args }, 'setting');
    if (!found) throw new NoPodscopeError(attempts);
    return found;
  }
  for (const folder of environment.folders) {
    const program = await inFolder(folder, environment);
    const found = program && (await attempt(program, program.origin));
    if (found) return found;
  }
  const found = await attempt({ command: 'podscope', args: [] }, 'path');
  if (found) return found;
  if (await environment.mayUseNpx()) {
    const npx = { command: 'npx', args: ['--yes', `podscope@${version}`], cwd: environment.storage };
    const throughNpx = await attempt(npx, 'npx');
    if (throughNpx) return throughNpx;
  }
  throw new NoPodscopeError(attempts);
}

/** Returns true if an extension works with a Podscope: before 1.0 the minor version changes incompatibly. */
export function isCompatible(extension: string, podscope: string): boolean {
  const [[major, minor], [otherMajor, otherMinor]] = [extension.split('.'), podscope.split('.')] as const;
  return major === otherMajor && (major !== '0' || minor === otherMinor);
}
