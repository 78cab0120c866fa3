/**
 * Checks the wording of comments, UI texts, help and documentation. `node scripts/prose.ts [PATH…]` checks the tracked
 * files below the paths, or all of them. Exit code 1 when there is a finding.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { checkProse } from './prose/check.ts';

const root = resolve(import.meta.dirname, '..');
const paths = process.argv.slice(2).map((path) => relative(root, resolve(path)) || '.');
/**
 * Matches files whose text isn't written by hand for this project: generated pages, third-party texts and recordings.
 */
const excluded = /^docs\/reference\/(?!README)|(?:^|\/)(?:recordings|vectors|snapshots|golden)\/|^scripts\/prose\//;

const list = execFileSync(
  'git',
  ['ls-files', '-co', '--exclude-standard', '-z', '--', ...(paths.length > 0 ? paths : ['.'])],
  {
    cwd: root,
    encoding: 'utf8',
  },
);
const files = list.split('\0').filter((path) => /\.(?:tsx?|md)$/.test(path) && !excluded.test(path));
const findings = files.flatMap((path) => {
  try {
    return checkProse(path, readFileSync(resolve(root, path), 'utf8'));
  } catch (error) {
    // Skip a file that was deleted but whose deletion isn't staged yet.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
});
for (const { path, line, words, advice } of findings)
  console.log(`${path}:${line}: ${words === '' ? '' : `…${words}… → `}${advice}`);
console.log(`${findings.length} findings in ${files.length} files`);
process.exitCode = findings.length > 0 ? 1 : 0;
