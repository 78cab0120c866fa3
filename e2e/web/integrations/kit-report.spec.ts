/** Tests the kit's attachments to the report of a failed test, in a project with its own installation of Playwright. */
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { chromiumPath } from '../../support/page/chromium.ts';

const run = promisify(execFile);
const here = resolve(import.meta.dirname, '../..');

interface Attachment {
  readonly name: string;
  readonly contentType: string;
  readonly path?: string;
  readonly body?: string;
}

interface JsonReport {
  readonly suites: readonly {
    readonly specs: readonly {
      readonly title: string;
      readonly tests: readonly {
        readonly annotations: readonly { readonly type: string; readonly description?: string }[];
        readonly results: readonly { readonly attachments: readonly Attachment[] }[];
      }[];
    }[];
  }[];
}

const config = `
import { defineConfig } from '@playwright/test';
export default defineConfig({
  reporter: [['json', { outputFile: 'report.json' }], ['html', { open: 'never', outputFolder: 'html' }]],
  use: { launchOptions: ${JSON.stringify({ executablePath: chromiumPath(), args: ['--no-sandbox'] })} },
  timeout: 600_000,
  expect: { timeout: 500 },
  workers: 1,
});
`;

const spec = `
import { expect, test } from '@podscope/playwright';
const crashing = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'crash' },
  spec: { containers: [{ name: 'app', image: 'busybox:1.36', command: ['sh', '-c', 'exit 3'] }] } };
test('fails', async ({ node }) => {
  await node.apply(crashing);
  await node.runUntil({ pod: 'crash', status: 'CrashLoopBackOff' });
  await expect(node.pod('crash')).toReachPhase('Succeeded');
});
test('fails in the page of Podscope', async ({ podscope }) => {
  await podscope.playScenario('crash-loop', { paused: true });
  await podscope.advance('12s');
  await expect(podscope.pod('crash-loop')).toBeReady();
});
test('passes', async ({ node }) => {
  await node.apply(crashing);
});
`;

test('a failed test has the run, the diagnosis, the timeline and the command in the HTML report', {
  tag: '@long',
}, async () => {
  const testInfo = test.info();
  const project = testInfo.outputPath('project');
  await mkdir(join(project, 'node_modules/@podscope'), { recursive: true });
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  await writeFile(join(project, 'playwright.config.ts'), config);
  await writeFile(join(project, 'kit.spec.ts'), spec);
  for (const name of ['@playwright', '@podscope/playwright'])
    await symlink(join(here, 'node_modules', name), join(project, 'node_modules', name));
  const cli = join(dirname(fileURLToPath(import.meta.resolve('@playwright/test/package.json'))), 'cli.js');
  const { PODSCOPE_TEST_PAGE_IS_BUILT: _, ...env } = process.env;
  await run(process.execPath, [cli, 'test'], { cwd: project, env }).catch((error: { readonly code?: number }) => {
    expect(error.code).toBe(1);
  });

  const report = JSON.parse(await readFile(join(project, 'report.json'), 'utf8')) as JsonReport;
  const tests = new Map(report.suites.flatMap(({ specs }) => specs).map(({ title, tests: [each] }) => [title, each]));
  for (const [title, pod, diagnosis] of [
    ['fails', 'default/crash', 'exitCode: 3\n[^]*What to do:'],
    ['fails in the page of Podscope', 'default/crash-loop', 'StartContainer app: CrashLoopBackOff'],
  ] as const) {
    const { annotations = [], results = [] } = tests.get(title) ?? {};
    const attachments = new Map(results[0]?.attachments.map((each) => [each.name, each]));
    const textOf = (name: string): string => Buffer.from(attachments.get(name)?.body ?? '', 'base64').toString();
    const [, file = ''] = /^npx podscope open (\S+\/run\.podscope)$/.exec(annotations[0]?.description ?? '') ?? [];
    expect(textOf('open the run').split('\n')[0]).toBe(`npx podscope open ${file}`);
    expect(gunzipSync(await readFile(join(project, file))).toString()).toContain('"type":"spanStarted"');
    expect(attachments.get('run.podscope')).toMatchObject({ contentType: 'application/gzip' });
    expect(textOf('diagnosis')).toMatch(new RegExp(`^${pod} is .*\n\n  [^]*${diagnosis}`));
    const picture = Buffer.from(attachments.get(`timeline of ${pod}`)?.body ?? '', 'base64');
    // A PNG begins with a signature. Its first chunk contains the width and the height.
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    expect(picture.readUInt32BE(16)).toBeGreaterThan(600);
    await writeFile(testInfo.outputPath(`${pod.replace('/', '-')}.png`), picture);
  }
  expect(tests.get('passes')?.results[0]?.attachments).toEqual([]);
  const data = await readdir(join(project, 'html/data'));
  expect(data.filter((name) => name.endsWith('.podscope'))).toHaveLength(2);
  expect(data.filter((name) => name.endsWith('.png')).length).toBeGreaterThanOrEqual(2);
});
