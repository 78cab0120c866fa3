/** Tests the example project outside of the repository, with the packed tarballs and without a network. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { chromiumPath } from '../../support/page/chromium.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../..');

/** Packages that npm would download. The test uses those in the repository, which have the same versions. */
const fromRepository: Readonly<Record<string, string>> = {
  '@playwright/test': 'e2e',
  '@types/node': '.',
  '@types/react': 'apps/web',
  '@types/react-dom': 'apps/web',
  react: 'apps/web',
  'react-dom': 'apps/web',
  typescript: '.',
  vite: 'apps/web',
  yaml: 'apps/web',
};

test('the example installs from the tarballs, compiles strictly and passes its tests @long', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'podscope-example-'));
  const project = join(directory, 'dashboard');
  const { PODSCOPE_TEST_PAGE_IS_BUILT: _, PODSCOPE_ROOT: _root, ...inherited } = process.env;
  const env = { ...inherited, CHROMIUM: chromiumPath(), TMPDIR: directory };

  const node = async (program: string, ...args: string[]): Promise<void> => {
    await run(process.execPath, [join(project, 'node_modules', program), ...args], { cwd: project, env }).catch(
      (error: { readonly stdout?: string; readonly stderr?: string }) => {
        throw new Error(`${program}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`, { cause: error });
      },
    );
  };
  try {
    await test.step('pack and install', async () => {
      await run(process.execPath, [join(root, 'apps/package/src/main.ts'), '--out', directory], { env });
      // The kit's dependency, which npm would download.
      await cp(await realpath(join(root, 'packages/playwright/node_modules/zod')), join(directory, 'package'), {
        recursive: true,
      });
      await run('tar', ['-czf', 'zod.tgz', 'package'], { cwd: directory });
      await cp(join(root, 'examples/dashboard'), project, {
        recursive: true,
        filter: (source) => !/\/(?:node_modules|dist|test-results|playwright-report)$/.test(source),
      });
      const manifest = JSON.parse(await readFile(join(project, 'package.json'), 'utf8')) as {
        readonly dependencies: Readonly<Record<string, string>>;
        readonly devDependencies: Readonly<Record<string, string>>;
      };
      const needed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
      const tarballs = (await readdir(directory)).filter((name) => name.endsWith('.tgz'));
      expect(needed.toSorted()).toEqual(
        [...Object.keys(fromRepository), '@podscope/playwright', 'podscope'].toSorted(),
      );
      await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }));
      await run(
        'npm',
        [
          'install',
          '--offline',
          '--no-audit',
          '--no-fund',
          '--legacy-peer-deps',
          ...tarballs.map((name) => join(directory, name)),
        ],
        { cwd: project, env },
      );
      for (const [name, workspace] of Object.entries(fromRepository)) {
        const link = join(project, 'node_modules', name);
        await mkdir(dirname(link), { recursive: true });
        await symlink(await realpath(join(root, workspace, 'node_modules', name)), link);
      }
    });

    await test.step('compile', () => node('typescript/bin/tsc'));
    await test.step('build the dashboard', () => node('vite/bin/vite.js', 'build', '--logLevel', 'error'));
    await test.step('run its tests', async () => {
      const patient = { timeout: 600_000, expect: { timeout: 120_000 } };
      await writeFile(
        join(project, 'busy-machine.config.ts'),
        `import config from './playwright.config.ts';\nexport default { ...config, ...${JSON.stringify(patient)} };\n`,
      );
      await node('@playwright/test/cli.js', 'test', '--workers', '2', '--config', 'busy-machine.config.ts');
    });
    const report = await readFile(join(project, 'playwright-report/index.html'), 'utf8');
    expect(report.length).toBeGreaterThan(10_000);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
