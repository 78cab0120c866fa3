/** Tests the check of the krew manifest against krew's rules. */
import { expect, it } from 'vitest';
import { type Archive, archiveName, krewManifest, krewProblems, pluginBin } from './manifest.ts';

const sum = 'a'.repeat(64);
const archive: Archive = { sha256: sum, files: ['LICENSE', pluginBin], executables: [pluginBin] };
const archives = (changed: Partial<Archive> = {}) => new Map([[archiveName('1.2.3'), { ...archive, ...changed }]]);
const manifest = krewManifest('1.2.3', sum);

it('accepts the manifest of a version with its archive', () => {
  expect(krewProblems('podscope.yaml', manifest, archives())).toEqual([]);
});

it.each([
  ['another file name', 'plugin.yaml', manifest, archives(), /must be named podscope\.yaml/],
  [
    'a long description',
    'podscope.yaml',
    { ...manifest, spec: { ...manifest.spec, shortDescription: 'x'.repeat(51) } },
    archives(),
    /at most 50/,
  ],
  [
    'a version without v',
    'podscope.yaml',
    { ...manifest, spec: { ...manifest.spec, version: '1.2.3' } },
    archives(),
    /semantic version/,
  ],
  ['an unknown field', 'podscope.yaml', { ...manifest, extra: 1 }, archives(), /[Uu]nrecognized/],
  ['another sum', 'podscope.yaml', manifest, archives({ sha256: 'b'.repeat(64) }), /sha256: is not that/],
  ['no license', 'podscope.yaml', manifest, archives({ files: [pluginBin] }), /no LICENSE/],
  ['a program that is missing', 'podscope.yaml', manifest, archives({ files: ['LICENSE'] }), /is not in the archive/],
  ['a program that is not executable', 'podscope.yaml', manifest, archives({ executables: [] }), /is not executable/],
  ['a missing archive', 'podscope.yaml', manifest, new Map(), /archive is missing/],
] as const)('rejects %s', (_name, file, given, known, problem) => {
  expect(krewProblems(file, given, known).join('\n')).toMatch(problem);
});

it('rejects platforms that overlap, and paths out of the directory', () => {
  const [platform] = manifest.spec.platforms;
  const twice = { ...manifest, spec: { ...manifest.spec, platforms: [platform, { ...platform, bin: '../bin/x' }] } };
  const problems = krewProblems('podscope.yaml', twice, archives()).join('\n');
  expect(problems).toContain('2 platforms match linux/amd64');
  expect(problems).toContain('../bin/x leaves the directory');
});
