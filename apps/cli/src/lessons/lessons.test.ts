import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { podscope } from '../runs/testing/in-process.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-lessons-'));
});
afterAll(() => rm(directory, { recursive: true }));

const lesson = (right: number, wrong: string): string => `---
id: mine
title: Mine
summary: Of something.
minutes: 1
---

\`\`\`scenario
id: own
manifest: |
  apiVersion: v1
  kind: Pod
  metadata: { name: mine }
  spec:
    containers:
      - { name: app, image: 'busybox:1.36', command: [sleep, '3600'] }
acts:
  - { at: 5, do: exitContainer, pod: mine, container: app, code: 3 }
duration: 20
\`\`\`

## One {#one}

\`\`\`scene
scenario: own
at: 4
until: 9
options:
  - { happens: { type: runtimeStateChanged, name: app, to: exited, exitCode: ${right} } }
  - { happens: { type: runtimeStateChanged, name: app, to: exited, exitCode: ${wrong} } }
\`\`\`

Text.

? What happens?

- [ ] It exits with code 3
- [ ] It exits with another code
      The act says 3.

So it is.
`;

const check = async (text: string, name = 'mine.md') => {
  const file = join(directory, name);
  await writeFile(file, text);
  const { code, stdout, stderr } = await podscope('lessons', 'check', file);
  return { code, stdout, stderr: stderr.replaceAll(`${directory}/`, '') };
};

it('lessons check plays a lesson with a scenario of its own, and accepts it', async () => {
  expect(await check(lesson(3, '4'))).toMatchObject({ code: 0, stdout: '1 file is correct.\n' });
});

it('lessons check names file and line of a question without a right option', async () => {
  expect(await check(lesson(5, '4'))).toMatchObject({
    code: 1,
    stderr: 'mine.md:28: step one: no option is right: none of the claims holds in the run\n',
  });
});

it('lessons check names file and line of a mistake in the scenario', async () => {
  const { code, stderr } = await check(lesson(3, '4').replace('do: exitContainer', 'do: exitContainers'));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^mine\.md:18: scenario own: acts\.0\.do: /);
});

it('lessons check reads a scenario of a file', async () => {
  expect(await check('id: own\nduration: 5\n', 'own.scenario.yaml')).toMatchObject({ code: 1 });
  const right = "id: own\nduration: 5\nmanifest: '{ kind: Pod }'\n";
  expect(await check(right, 'own.scenario.yaml')).toMatchObject({ code: 0 });
});

const translation =
  '---\nid: mine\ntitle: T\nsummary: S.\nminutes: 1\nlanguage: zh-CN\n---\n\n## 二 {#two}\n\n文字。\n';

it.each([
  [
    'has an unknown scenario',
    lesson(3, '4').replace('scenario: own', 'scenario: other'),
    undefined,
    /^bad\.md:.*other/,
  ],
  ['has a translation with another step', lesson(3, '4'), translation, /^bad\.zh-CN\.md:.*two/],
  ['has a translation that is no lesson', lesson(3, '4'), 'Text.', /^bad\.zh-CN\.md:1: /],
])('lessons export reports the problem and writes nothing if the lesson %s', async (_what, text, chinese, problem) => {
  const file = join(directory, 'bad.md');
  const out = await mkdtemp(join(directory, 'out-'));
  await rm(join(directory, 'bad.zh-CN.md'), { force: true });
  await writeFile(file, text);
  if (chinese !== undefined) await writeFile(join(directory, 'bad.zh-CN.md'), chinese);
  const { code, stderr } = await podscope('lessons', 'export', '--scorm', '--out', out, file);
  expect(code).toBe(1);
  expect(stderr.replaceAll(`${directory}/`, '')).toMatch(problem);
  expect(await readdir(out)).toEqual([]);
});
