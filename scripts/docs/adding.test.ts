/** Executes the examples of the pages about adding a scenario, a lesson, a rule, a diagnosis and a command. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { podscope } from '../../apps/cli/src/runs/testing/in-process.ts';
import { applyEdits, blocksOf, copyPackages, output, pageText, root, run } from './example-edits.ts';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/**
 * Returns the text of a page's code block: the block that shows the file at a path, or the only block of a language.
 */
const shown = (page: string, language: string, path = ''): string =>
  blocksOf(page).find((block) => block.language === language && block.path === path)?.text ?? '';

it('adds a scenario with the edits of the page, and its run is the one that the page shows', async () => {
  const page = pageText('develop/adding-a-scenario.md');
  const folder = copyPackages(['packages/scenarios']);
  folders.push(folder);
  expect(applyEdits(page, folder)).toHaveLength(3);
  const found = await output(
    join(folder, 'packages/scenarios/src/check.ts'),
    `import { findScenario, scenarios } from './library.ts';
     import { flowOf, playThrough } from './whole-run/index.ts';
     const scenario = findScenario('fails-once');
     console.log(JSON.stringify({
       after: scenarios[scenarios.indexOf(scenario) - 1].id,
       flow: flowOf(await playThrough(scenario, 'v1.36')),
     }));`,
  );
  const flow = shown(page, 'text', 'packages/scenarios/test/golden/fails-once.v1.36.txt');
  expect(found).toEqual({ after: 'exit-zero-loop', flow });
});

it('accepts the lesson of the page in both languages, and reports the mistake that the page describes', async () => {
  const page = pageText('develop/adding-a-lesson.md');
  const folder = mkdtempSync(join(tmpdir(), 'podscope-lesson-'));
  folders.push(folder);
  const [english = '', chinese = ''] = applyEdits(page, folder);
  const good = await podscope('lessons', 'check', join(folder, english), join(folder, chinese));
  expect(good).toEqual({ code: 0, stdout: expect.stringContaining('2 ') as string, stderr: '' });
  const alone = await podscope('lessons', 'check', join(folder, english));
  const [right = '', wrong = ''] = blocksOf(page).flatMap(({ language, text }) => (language === 'text' ? [text] : []));
  expect(alone.stdout).toBe(right);

  writeFileSync(join(folder, english), readFileSync(join(folder, english), 'utf8').replace('{ never:', '{ happens:'));
  const bad = await podscope('lessons', 'check', join(folder, english));
  expect({ ...bad, stderr: bad.stderr.replaceAll(`${folder}/`, '') }).toMatchObject({ code: 1, stderr: wrong });
});

it('adds a rule with the edits of the page, and two sandboxes record what the page shows', async () => {
  const page = pageText('develop/adding-a-rule.md');
  const folder = copyPackages(['packages/trace', 'packages/kuberuntime']);
  folders.push(folder);
  for (const path of [
    'apps/web/src/features/why',
    'apps/web/src/base/i18n',
    'apps/lab/src/conformance/explain/rules.ts',
  ])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(folder, 'packages/kuberuntime/node_modules'), join(folder, 'apps/web/node_modules'));
  expect(applyEdits(page, folder)).toHaveLength(4);
  const found = await output(
    join(folder, 'packages/kuberuntime/check.ts'),
    `import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
     import { ruleMessages } from '@podscope/trace/explain';
     import { questionOf } from '../../apps/lab/src/conformance/explain/rules.ts';
     import { rules } from '../../apps/web/src/features/why/messages.zh-CN.ts';
     import { createPodSandbox } from './src/sandbox/create-pod-sandbox.ts';
     import { testPod, testStage } from './src/testing/test-stage.ts';
     const clock = new VirtualClock();
     const log = new EventLog(clock);
     const { dependencies } = testStage();
     for (const attempt of [0, 1])
       await createPodSandbox(background(clock, new Tracer(log)), dependencies, testPod(), attempt);
     const name = 'createPodSandbox.isFirst';
     console.log(JSON.stringify({
       decisions: log.after(0)
         .filter(({ rule }) => rule === name)
         .map(({ rule, facts, outcome, decisive }) => ({ rule, facts, outcome, decisive })),
       texts: [ruleMessages[name], questionOf(name), rules['rules.' + name]],
     }));`,
  );
  expect(found).toEqual({
    decisions: JSON.parse(shown(page, 'json')) as unknown,
    texts: ['Is it the pod’s first sandbox?', 'Is it the first sandbox of the pod?', '这是 Pod 的第一个沙箱吗？'],
  });
});

it('adds a diagnosis with the edits of the page, and the pod of the page gets it', async () => {
  const page = pageText('develop/adding-a-diagnosis.md');
  const folder = copyPackages(['packages/trace', 'packages/pod-snapshot']);
  folders.push(folder);
  for (const path of ['apps/web/src/features/why/causes/placement', 'apps/lab/src/bench/why'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
  symlinkSync(join(folder, 'packages/pod-snapshot/node_modules'), join(folder, 'apps/lab/node_modules'));
  expect(applyEdits(page, folder)).toHaveLength(3);
  const found = await output(
    join(folder, 'packages/pod-snapshot/check.ts'),
    `import { createRequire } from 'node:module';
     import { inEnglish } from '@podscope/trace/explain';
     import { placement } from '../../apps/web/src/features/why/causes/placement/messages.zh-CN.ts';
     import { grade } from '../../apps/lab/src/bench/why/grade.ts';
     import { diagnoseSnapshot, readSnapshots } from './src/index.ts';
     const { parse } = createRequire(${JSON.stringify(join(root, 'apps/lab/package.json'))})('yaml');
     const [answer] = parse(${JSON.stringify(shown(page, 'yaml', 'answers.yaml'))});
     const [snapshot] = readSnapshots(${JSON.stringify(shown(page, 'yaml', 'web.yaml'))}).snapshots;
     const { diagnoses } = diagnoseSnapshot(snapshot);
     const [{ title, cause }] = diagnoses;
     const { cause: causeGrade, remedy } = grade(diagnoses, answer);
     console.log(JSON.stringify({
       said: [title, cause[0]].map(inEnglish),
       grade: { cause: causeGrade, remedy },
       chinese: placement.kernelOldTitle,
     }));`,
  );
  expect(found).toEqual({
    said: shown(page, 'text').trimEnd().split('\n'),
    grade: { cause: 'right', remedy: 'right' },
    chinese: '{container} 需要更新的 Linux 内核',
  });
});

it('adds a command with the edits of the page, and it prints what the page shows', async () => {
  const page = pageText('develop/adding-a-command.md');
  const folder = copyPackages(['apps/cli']);
  folders.push(folder);
  symlinkSync(join(root, 'packages'), join(folder, 'packages'));
  expect(applyEdits(page, folder)).toHaveLength(2);
  const [call = '', ...printed] = shown(page, 'console').trimEnd().split('\n');
  const [, , main = '', ...args] = call.split(' ');
  expect(await run(join(folder, main), ...args)).toBe(`${printed.join('\n')}\n`);
  expect(await run(join(folder, main), '--help')).toContain('Count the events of a run by type.');
});
