/**
 * Detects how this copy of Podscope is installed, because its commands are called differently in the npm package and in
 * a clone.
 */

/** Defined by the build of the npm package, not in a clone of the repository. */
declare const podscopeIsPackaged: boolean | undefined;

/** True in the npm package, false in a clone of the repository. */
export const isPackaged = typeof podscopeIsPackaged !== 'undefined' && podscopeIsPackaged;

/** Commands that the repository's package.json has scripts for. */
const scripts: ReadonlySet<string> = new Set(['start', 'cri', 'build:site']);

/**
 * Returns the text that calls a command: `npx podscope run` in the npm package, `npx -y pnpm@12 podscope run` in a
 * clone.
 * @param command name of a command, optionally with arguments; empty for the program itself
 */
export function callOf(command = ''): string {
  if (isPackaged) return command === 'start' || command === '' ? 'npx podscope' : `npx podscope ${command}`;
  const [name = ''] = command.split(' ');
  return `npx -y pnpm@12 ${scripts.has(name) ? '' : 'podscope '}${command}`.trimEnd();
}
