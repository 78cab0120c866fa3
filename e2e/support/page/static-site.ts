/** Builds the static site and serves it from a path below the root of a plain file host, as a school might. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { type PodscopeSite, servePodscopeSite } from '@podscope/playwright/site';

const cli = resolve(import.meta.dirname, '../../../apps/cli/src/main.ts');

/** A build of the site. */
export interface BuiltSite {
  readonly directory: string;
  /** The output of the build command. */
  readonly output: string;
}

/**
 * Builds the site into a directory, with the command that users run.
 * @returns its output
 */
export async function buildSite(directory: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'build:site', '--out', directory]);
  return stdout;
}

/**
 * Returns the site of this test run, which the first caller of all workers builds. It must not be changed.
 * @throws Error if the build fails
 */
export async function builtSite(): Promise<BuiltSite> {
  const folder = process.env['PODSCOPE_TEST_SITE'];
  if (folder === undefined) throw new Error('the global setup has not run');
  const directory = join(folder, 'site');
  const result = join(folder, 'result.json');
  const isFirst = await mkdir(join(folder, 'claimed')).then(
    () => true,
    () => false,
  );
  if (isFirst) {
    const outcome = await buildSite(directory).then(
      (output) => ({ output, error: '' }),
      (error: unknown) => ({ output: '', error: String(error) }),
    );
    await writeFile(result, JSON.stringify(outcome), { flush: true });
  }
  const read = async (): Promise<string> => readFile(result, 'utf8').catch(() => '');
  await expect.poll(read, { timeout: 600_000 }).toMatch(/\}$/);
  const { output, error } = JSON.parse(await read()) as { output: string; error: string };
  if (error !== '') throw new Error(error);
  return { directory, output };
}

/** Returns the strictest headers that a host can send: they allow only the host's own files. */
const headers = (connections: string): Record<string, string> => ({
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src " +
    `${connections}; worker-src 'self'`,
  'X-Content-Type-Options': 'nosniff',
});

/**
 * Serves a directory at the path `/school/podscope/`.
 * @param connections the addresses to which its pages may connect
 */
export const serveSite = (directory: string, connections = "'self'"): Promise<PodscopeSite> =>
  servePodscopeSite(directory, { base: '/school/podscope/', headers: headers(connections) });

/** Serves the site of this test run from before the first test of a file or a group to after its last. */
export function sharedSite(): () => PodscopeSite & BuiltSite {
  let shared: (PodscopeSite & BuiltSite) | undefined;
  test.beforeAll(async () => {
    const built = await builtSite();
    shared = { ...built, ...(await serveSite(built.directory)) };
  });
  test.afterAll(async () => {
    await shared?.stop();
  });
  return () => {
    if (!shared) throw new Error('the site is there only while tests run');
    return shared;
  };
}
