/**
 * Checks the dependencies: licenses against the allowed list, binaries for each platform, and known vulnerabilities.
 * If the registry doesn't respond, prints that the check for vulnerabilities was omitted, and doesn't fail.
 */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { installedPackages, isAllowed, licensesDocument } from './lib/licenses.ts';
import { missingPlatforms } from './lib/platforms.ts';
import { run } from './lib/run.ts';

const root = resolve(import.meta.dirname, '..');
/** Time limit for the registry's answer, in milliseconds. */
const auditTimeout = 60_000;

const problems: string[] = [];

const packages = await installedPackages();
for (const { name, license } of packages)
  if (!isAllowed(license))
    problems.push(
      `${name} is under ${license}, which is not on the list of scripts/lib/licenses.ts: replace it, or extend ` +
        'the list knowingly',
    );
const kept = await readFile(join(root, 'docs/reference/licenses.md'), 'utf8').catch(() => '');
if (kept !== licensesDocument(packages))
  problems.push('docs/reference/licenses.md is out of date: npx -y pnpm@12 generate licenses');
console.log(`licenses: ${packages.length} packages, ${new Set(packages.map(({ license }) => license)).size} licenses`);

for (const missing of missingPlatforms(await readFile(join(root, 'pnpm-lock.yaml'), 'utf8')))
  problems.push(`pnpm-lock.yaml lacks binaries of ${missing}: npx -y pnpm@12 install --lockfile-only --fix-lockfile`);

const severities = ['low', 'moderate', 'high', 'critical'] as const;
const reportSchema = z.object({
  metadata: z.object({ vulnerabilities: z.partialRecord(z.enum([...severities, 'info']), z.number()) }),
});

/**
 * Requests known vulnerabilities from the registry.
 * @returns the registry's report, or the reason why it is missing
 */
async function audit(): Promise<z.infer<typeof reportSchema> | string> {
  const { stdout, stderr } = await run('pnpm', ['audit', '--json'], { cwd: root, timeout: auditTimeout });
  try {
    return reportSchema.parse(JSON.parse(stdout));
  } catch {
    const said = `${stdout}\n${stderr}`
      .split('\n')
      .find((line) => /respond|ENOTFOUND|ECONN|ETIMEDOUT|ERR_PNPM/.test(line));
    return said?.replaceAll(/[│×]/g, '').trim() ?? 'it did not answer';
  }
}

const report = await audit();
if (typeof report === 'string')
  console.log(`vulnerabilities: NOT CHECKED, the registry could not be asked (${report})`);
else {
  const counts = report.metadata.vulnerabilities;
  console.log(`vulnerabilities: ${severities.map((severity) => `${counts[severity] ?? 0} ${severity}`).join(', ')}`);
  if ((counts.high ?? 0) + (counts.critical ?? 0) > 0)
    problems.push('dependencies have known vulnerabilities of high or critical severity: npx -y pnpm@12 audit');
}

for (const problem of problems) console.error(problem);
process.exitCode = problems.length > 0 ? 1 : 0;
