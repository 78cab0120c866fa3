/** Checks that the licenses of all installed packages are allowed, and lists the licenses in a document. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { must } from './run.ts';

const root = resolve(import.meta.dirname, '../..');

/**
 * SPDX identifiers of licenses that only require attribution, and MPL-2.0, which is allowed because its files aren't
 * changed.
 */
const allowedLicenses: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  // The license of the package argparse, which is a port of a Python module. It is as permissive as Python-2.0.
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/**
 * Returns true if an SPDX expression can be satisfied only with allowed licenses: at least one of those joined by OR,
 * and all of those joined by AND.
 */
export function isAllowed(expression: string): boolean {
  const text = expression.trim().replace(/^\((?<inside>[^()]*)\)$/, '$<inside>');
  const alternatives = text.split(/\s+OR\s+/);
  return alternatives.some((alternative) =>
    alternative.split(/\s+AND\s+/).every((license) => allowedLicenses.has(license.replaceAll(/[()]/g, '').trim())),
  );
}

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  readonly versions: readonly string[];
  readonly license: string;
}

const listSchema = z.record(z.string(), z.array(z.object({ name: z.string(), versions: z.array(z.string()) })));

/**
 * Returns all packages of all workspaces, by name.
 * @throws Error if the package manager fails
 */
export async function installedPackages(): Promise<readonly InstalledPackage[]> {
  const text = await must('pnpm', ['licenses', 'list', '--recursive', '--json'], { cwd: root });
  const found = Object.entries(listSchema.parse(JSON.parse(text))).flatMap(([license, packages]) =>
    packages.map(({ name, versions }) => ({ name, versions: versions.toSorted(), license })),
  );
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Matches binaries for one platform. They are omitted, because the machine determines which of them are installed. */
const platformBinary = /(?:^|[-/])(?:linux|darwin|win32|android|freebsd|openharmony|wasm32)(?:-|$)|node-bin/;

/** Returns the licenses of the packages as a Markdown page. */
export function licensesDocument(packages: readonly InstalledPackage[]): string {
  const shown = packages.filter(({ name }) => !platformBinary.test(name));
  const counts = new Map<string, number>();
  for (const { license } of shown) counts.set(license, (counts.get(license) ?? 0) + 1);
  const rows = shown.map(({ name, versions, license }) => [name, versions.join(', '), license] as const);
  const head = ['package', 'version', 'license'] as const;
  const widths = [0, 1, 2].map((column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [
    '# Licenses',
    '',
    '```sh',
    'npx -y pnpm@12 generate licenses     # writes this page from the lockfile',
    '```',
    '',
    'Podscope is under the Apache License 2.0. These are the packages that it is built with and from. The checks fail',
    'on a license that is not on the list in `scripts/lib/licenses.ts`. Binaries for one platform (`…-linux-x64`) are',
    'under the license of the package that they belong to.',
    '',
    ...[...counts].toSorted(([, a], [, b]) => b - a).map(([license, count]) => `- ${license}: ${count}`),
    '',
    line(head),
    line(widths.map((width) => '-'.repeat(width))),
    ...rows.map(line),
    '',
  ].join('\n');
}
