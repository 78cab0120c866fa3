/** Finds the program of Podscope: a checkout, or the npm package `podscope`. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

/** A program and its first arguments. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

const mainOf = (checkout: string): string => join(checkout, 'apps/server/src/main.ts');

/**
 * Returns the program of a checkout. Its server is TypeScript and needs the checkout's Node.js, which may be newer than
 * the Node.js of the tests.
 */
function ofCheckout(checkout: string): Program {
  if (!existsSync(join(checkout, 'node_modules')))
    throw new Error(`Podscope at ${checkout} is not installed yet: run \`npx -y pnpm@12 install\` there.`);
  const own = join(checkout, 'node_modules/node/bin/node');
  return { command: existsSync(own) ? own : process.execPath, args: [mainOf(checkout)] };
}

/** Returns the program of the npm package, if it is installed beside the tests or beside this package. */
function ofPackage(): Program | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.filename])
    try {
      const manifest = createRequire(from).resolve('podscope/package.json');
      const program = join(dirname(manifest), 'bin/podscope.cjs');
      if (existsSync(program)) return { command: process.execPath, args: [program] };
    } catch {
      // The package isn't installed at this location.
    }
  return undefined;
}

/**
 * Returns the program that runs the server.
 * @param root a checkout of Podscope; default: the environment variable `PODSCOPE_ROOT`, else the package `podscope`,
 *   else the checkout that contains this package
 * @throws Error that says how to install or name one
 */
export function findProgram(root = process.env['PODSCOPE_ROOT']): Program {
  if (root !== undefined) {
    const checkout = resolve(root);
    if (!existsSync(mainOf(checkout)))
      throw new Error(
        `There is no Podscope checkout at ${checkout}: podscopeServer.root or PODSCOPE_ROOT must name its directory.`,
      );
    return ofCheckout(checkout);
  }
  const installed = ofPackage();
  if (installed) return installed;
  const checkout = resolve(import.meta.dirname, '../../../..');
  if (existsSync(mainOf(checkout))) return ofCheckout(checkout);
  throw new Error(
    'The Podscope server is not installed: add the package podscope to devDependencies, or name a checkout in ' +
      'podscopeServer.root or PODSCOPE_ROOT, or a built site in podscopeSite.',
  );
}
