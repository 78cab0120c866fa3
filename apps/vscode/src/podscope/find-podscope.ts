/** Finds the program `podscope`, which serves the debug adapter. */

/** A program with its first arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** The working directory of the program. If absent, the caller chooses it. */
  readonly cwd?: string;
}

/** A Podscope program that can be started. */
export interface FoundPodscope extends Program {
  readonly origin: 'setting' | 'workspace' | 'repository' | 'path' | 'npx';
  readonly version: string;
}

/** Facts about the machine, and functions, that the search uses. */
export interface SearchEnvironment {
  /** The setting `podscope.command`: a program with its first arguments; empty if it isn't set. */
  readonly command: readonly string[];
  /** Directories of the workspace; empty if the workspace isn't trusted. */
  readonly folders: readonly string[];
  /** Returns true if the file exists. */
  readonly exists: (path: string) => Promise<boolean>;
  /**
   * Runs a program and returns its standard output.
   * @throws Error if the program can't be started, fails or hangs
   */
  readonly run: (program: Program) => Promise<string>;
  /** Returns true if npx may download Podscope. May ask the user. */
  readonly mayUseNpx: () => Promise<boolean>;
  /**
   * Directory of the extension, in which npx runs. npm reads `.npmrc` and searches for programs in its working
   * directory. If that were the workspace, the workspace could choose another registry or program.
   */
  readonly storage: string;
}

/** Thrown if no usable Podscope was found. */
export class NoPodscopeError extends Error {
  override readonly name = 'NoPodscopeError';
  /** A line for each program that was tried, with the reason why it can't be used. */
  readonly attempts: readonly string[];

  constructor(attempts: readonly string[]) {
    super(attempts.join('\n'));
    this.attempts = attempts;
  }
}

const join = (folder: string, path: string): string => `${folder.replace(/[/\\]$/, '')}/${path}`;

/** Returns the Podscope program of a folder: an installed npm package, or a clone of Podscope. */
async function inFolder(
  folder: string,
  { exists }: SearchEnvironment,
): Promise<(Program & { readonly origin: 'workspace' | 'repository' }) | undefined> {
  // Run the package's program with Node.js, because Windows can't start the script in node_modules/.bin directly.
  const installed = join(folder, 'node_modules/podscope/bin/podscope.cjs');
  if (await exists(installed)) return { command: 'node', args: [installed], origin: 'workspace' };
  const [main, node] = [join(folder, 'apps/cli/src/main.ts'), join(folder, 'node_modules/.bin/node')];
  if ((await exists(main)) && (await exists(join(folder, 'packages/kuberuntime/package.json'))) && (await exists(node)))
    return { command: node, args: [main], origin: 'repository' };
  return undefined;
}

/**
 * Returns the version that a program prints.
 * @throws Error with the reason if the program isn't Podscope
 */
async function versionOf(program: Program, { run }: SearchEnvironment): Promise<string> {
  const output = await run({ ...program, args: [...program.args, '--version'] });
  const version = /^(\d+\.\d+\.\d+\S*)\s*$/.exec(output)?.[1];
  if (version === undefined) throw new Error(`--version printed ${JSON.stringify(output.slice(0, 80))}`);
  return version;
}

/**
 * Returns the first usable Podscope among these: the program in the setting, in a folder of the workspace, in PATH, and
 * through npx with the user's consent. If the setting is set and doesn't work, throws without trying the others.
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

/**
 * Returns true if a version of the extension works with a version of Podscope. Before 1.0, a different minor version is
 * incompatible.
 */
export function isCompatible(extension: string, podscope: string): boolean {
  const [[major, minor], [otherMajor, otherMinor]] = [extension.split('.'), podscope.split('.')] as const;
  return major === otherMajor && (major !== '0' || minor === otherMinor);
}
