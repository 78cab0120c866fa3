/** Builds the site and serves it from a sub-path of a plain file host, as a school would. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { type PodscopeSite, servePodscopeSite } from '@podscope/playwright/site';

const cli = resolve(import.meta.dirname, '../../../apps/cli/src/main.ts');

/** Builds the site into a directory, by the command that people use. @returns what it printed */
export async function buildSite(directory: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [cli, 'build:site', '--out', directory]);
  return stdout;
}

/** As strict as a host can be with it: its own files, and nothing else. */
const headers = (connections: string): Record<string, string> => ({
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src " +
    `${connections}; worker-src 'self'`,
  'X-Content-Type-Options': 'nosniff',
});

/** Serves a directory below `/school/podscope/`. @param connections where its pages may connect to */
export const serveSite = (directory: string, connections = "'self'"): Promise<PodscopeSite> =>
  servePodscopeSite(directory, { base: '/school/podscope/', headers: headers(connections) });
