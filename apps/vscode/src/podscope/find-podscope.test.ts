import { describe, expect, it } from 'vitest';
import { findPodscope, isCompatible, NoPodscopeError, type Program, type SearchEnvironment } from './find-podscope.ts';

/** Returns a machine with these files and programs. A program without output can't be started. */
function machine(
  files: readonly string[],
  programs: Readonly<Record<string, string>>,
  rest: Partial<SearchEnvironment> = {},
): SearchEnvironment {
  return {
    command: [],
    folders: ['/work'],
    exists: async (path) => files.includes(path),
    run: async ({ command, args }) => {
      const output = programs[[command, ...args].join(' ')];
      if (output === undefined) throw new Error(`spawn ${command} ENOENT`);
      return output;
    },
    mayUseNpx: async () => false,
    storage: '/storage',
    ...rest,
  };
}

const installed = '/work/node_modules/podscope/bin/podscope.cjs';
const clone = ['/work/apps/cli/src/main.ts', '/work/packages/kuberuntime/package.json', '/work/node_modules/.bin/node'];

describe('findPodscope', () => {
  it('prefers the setting to everything else', async () => {
    const found = await findPodscope(
      machine(
        [installed],
        { '/opt/podscope --verbose --version': '0.1.0\n', [`node ${installed} --version`]: '0.1.0\n' },
        { command: ['/opt/podscope', '--verbose'] },
      ),
      '0.1.0',
    );
    expect(found).toEqual({ command: '/opt/podscope', args: ['--verbose'], origin: 'setting', version: '0.1.0' });
  });

  it('tries nothing else when the setting does not work, and reports why', async () => {
    const search = findPodscope(machine([], { 'podscope --version': '0.1.0\n' }, { command: ['/opt/gone'] }), '0.1.0');
    await expect(search).rejects.toThrow(NoPodscopeError);
    await expect(search).rejects.toMatchObject({ attempts: ['/opt/gone: spawn /opt/gone ENOENT'] });
  });

  it('prefers the package of the workspace to the program in PATH', async () => {
    const programs = { [`node ${installed} --version`]: '0.1.2\n', 'podscope --version': '0.1.0\n' };
    expect(await findPodscope(machine([installed], programs), '0.1.0')).toMatchObject({
      command: 'node',
      args: [installed],
      origin: 'workspace',
      version: '0.1.2',
    });
  });

  it('starts a clone of Podscope with the Node of the clone', async () => {
    const programs = { '/work/node_modules/.bin/node /work/apps/cli/src/main.ts --version': '0.1.0\n' };
    expect(await findPodscope(machine(clone, programs), '0.1.0')).toMatchObject({
      command: '/work/node_modules/.bin/node',
      args: ['/work/apps/cli/src/main.ts'],
      origin: 'repository',
    });
  });

  it('does not start programs of a workspace that is not trusted', async () => {
    const programs = { [`node ${installed} --version`]: '6.6.6\n', 'podscope --version': '0.1.0\n' };
    expect(await findPodscope(machine([installed], programs, { folders: [] }), '0.1.0')).toMatchObject({
      origin: 'path',
      version: '0.1.0',
    });
  });

  it('ignores a program that prints no version', async () => {
    const programs = { 'podscope --version': 'another program 1.2\n', 'npx --yes podscope@0.1.0 --version': '0.1.0\n' };
    expect(await findPodscope(machine([], programs, { mayUseNpx: async () => true }), '0.1.0')).toMatchObject({
      command: 'npx',
      args: ['--yes', 'podscope@0.1.0'],
      origin: 'npx',
    });
  });

  it('runs npx in the storage of the extension, where no .npmrc of a workspace has an effect', async () => {
    const ran: (string | undefined)[] = [];
    const run = async ({ command, cwd }: Program): Promise<string> => {
      if (command !== 'npx') throw new Error('ENOENT');
      ran.push(cwd);
      return '0.1.0\n';
    };
    const found = await findPodscope(machine([], {}, { mayUseNpx: async () => true, run }), '0.1.0');
    expect(ran).toEqual(['/storage']);
    expect(found.cwd).toBe('/storage');
  });

  it('does not call npx without consent', async () => {
    const programs = { 'npx --yes podscope@0.1.0 --version': '0.1.0\n' };
    await expect(findPodscope(machine([], programs), '0.1.0')).rejects.toMatchObject({
      attempts: ['podscope: spawn podscope ENOENT'],
    });
  });
});

describe('isCompatible', () => {
  it.each([
    ['0.1.0', '0.1.7', true],
    ['0.1.0', '0.2.0', false],
    ['1.0.0', '1.4.2', true],
    ['1.0.0', '2.0.0', false],
    ['0.9.0', '1.0.0', false],
  ])('extension %s with Podscope %s: %s', (extension, podscope, expected) => {
    expect(isCompatible(extension, podscope)).toBe(expected);
  });
});
