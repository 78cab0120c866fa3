/** Executes the commands in the documentation that are fast and don't depend on the machine. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type Outcome, podscope } from '../../apps/cli/src/runs/testing/in-process.ts';
import { blocksOf, pageText } from './example-edits.ts';
import { commandsOfBlock, type ShellCommand } from './shell-words.ts';

const cwd = process.cwd();
let folder: string;
/** The texts that commands wrote to stdout without `console`, in order. */
let printed: string[];

const pod = (name: string, command: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  restartPolicy: Never
  containers: [{ name: app, image: 'busybox:1.36', command: [sh, -c, '${command}'] }]
`;

/** Returns a pod in the format in which kubectl prints it. */
const ofCluster = (manifest: string): string =>
  `${manifest.replace('name: web', 'name: web, namespace: default, uid: 1c1d')}status: { phase: Failed }\n`;

/** The files that commands in the documentation name. */
const files: Readonly<Record<string, string>> = {
  'pod.yaml': pod('web', 'sleep 2'),
  'web.yaml': ofCluster(pod('web', 'exit 1')),
  'node.yaml': 'images: [busybox:1.36]\n',
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podscope-docs-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const plan = blocksOf(pageText('use/debugging.md')).find(({ text }) => text.startsWith('name: flaky-registry'));
  writeFileSync(join(folder, 'flaky.yaml'), plan?.text ?? '');
  process.chdir(folder);
});

beforeEach(() => {
  printed = [];
});

afterAll(() => {
  process.chdir(cwd);
  rmSync(folder, { recursive: true });
});

/** Runs every command of a page that begins with these words, without the commands to which its output is piped. */
async function execute(page: string, ...start: readonly string[]): Promise<readonly Outcome[]> {
  const isWanted = (command: ShellCommand): boolean =>
    ['npx', '-y', 'pnpm@12', 'podscope', ...start].every((word, index) => command[index] === word);
  const found = blocksOf(pageText(page)).flatMap(({ language, text }) =>
    language === 'sh' ? commandsOfBlock(language, text).filter(isWanted) : [],
  );
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    const outcomes: Outcome[] = [];
    for (const [, , , , name = '', ...args] of found) outcomes.push(await podscope(name, ...args));
    return outcomes;
  } finally {
    write.mockRestore();
  }
}

it('runs pods in the simulator as the pages say', async () => {
  const outcomes = await execute('use/command-line.md', 'run', 'pod.yaml', '--runtime', 'sim');
  expect(outcomes.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
    { code: 0, stderr: '' },
    // The pulls of this pod don't fail, so its breakpoint isn't hit.
    { code: 0, stderr: '' },
  ]);
  expect(printed[0]).toContain('pod default/web appears');
  expect(printed.join('')).toContain('ContainerDied of app is dropped');
  expect((await execute('use/simulator.md', 'run')).map(({ code }) => code)).toEqual([0]);
});

it('explains a pod of kubectl', async () => {
  const [explained] = await execute('use/pods-of-other-clusters.md', 'explain', 'web.yaml');
  expect(explained).toMatchObject({ code: 0, stderr: '' });
  expect(explained?.stdout).toContain('web');
});

it('lists the calls of the socket proxy, and prints completions', async () => {
  const [list] = await execute('use/container.md', 'docker-proxy', '--list');
  const calls = (list?.stdout.trim().split('\n') ?? []).filter((line) => /^(?:GET|POST|DELETE|HEAD|PUT) /.test(line));
  expect(Number(/forwards the (\d+) calls/.exec(pageText('use/container.md'))?.[1])).toBe(calls.length);
  expect(readFileSync(join(folder, 'flaky.podscope')).byteLength).toBeGreaterThan(1000);
});
