import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const copied = ['flow', 'kuberuntime'];
/** Other packages in which the finder of source lines searches. */
const linked = ['cri', 'kubelet', 'dockershim', 'simulated-runtime'];
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/**
 * Returns the edits that the documentation page describes: for each, the file, the lines it must contain, and the lines
 * that replace them.
 */
function edits(page: string): readonly { readonly file: string; readonly before: string; readonly after: string }[] {
  return [...page.matchAll(/^```diff (\S+)\n([^]*?)^```$/gm)].map(([, file = '', body = '']) => {
    const lines = body.split('\n').filter((line) => line !== '');
    const without = (mark: string): string =>
      lines.flatMap((line) => (line.startsWith(mark) ? [] : [line.slice(1)])).join('\n');
    return { file, before: without('+'), after: without('-') };
  });
}

/**
 * Returns a folder with copies of the packages, in which they import each other and everything else from the
 * repository.
 */
function copyPackages(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'podscope-step-')));
  folders.push(folder);
  for (const name of copied) {
    const [from, to] = [join(root, 'packages', name), join(folder, 'packages', name)];
    cpSync(join(from, 'src'), join(to, 'src'), { recursive: true });
    cpSync(join(from, 'package.json'), join(to, 'package.json'));
    const { dependencies } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    mkdirSync(join(to, 'node_modules/@podscope'), { recursive: true });
    for (const dependency of Object.keys(dependencies)) {
      const own = copied.find((each) => dependency === `@podscope/${each}`);
      const target = own ? join(folder, 'packages', own) : realpathSync(join(from, 'node_modules', dependency));
      symlinkSync(target, join(to, 'node_modules', dependency));
    }
  }
  for (const name of linked) symlinkSync(join(root, 'packages', name), join(folder, 'packages', name));
  cpSync(join(root, 'scripts/lib/point-sources.ts'), join(folder, 'scripts/lib/point-sources.ts'));
  return folder;
}

/** Writes a module into the folder, runs it, and returns the JSON that it prints. */
async function output(file: string, text: string): Promise<unknown> {
  writeFileSync(file, text);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return JSON.parse(stdout);
}

it('adds a step to the list, the texts, the engine and the source lines with the three edits of the page', async () => {
  const folder = copyPackages();
  const page = edits(readFileSync(join(root, 'docs/develop/adding-a-step.md'), 'utf8'));
  expect(page).toHaveLength(3);
  for (const { file, before, after } of page) {
    const text = readFileSync(join(folder, file), 'utf8');
    expect(text.split(before), `${file} has these lines once`).toHaveLength(2);
    writeFileSync(
      join(folder, file),
      text.replace(before, () => after),
    );
  }
  const shown = await output(
    join(folder, 'packages/kuberuntime/check.ts'),
    `import { stepText, syncPodPointsOf } from '@podscope/flow';
     import { profileV136, runtimeGatesV136 } from './src/index.ts';
     const shown = ({ step, id, title }) => step + ' ' + id + ' ' + title;
     console.log(JSON.stringify({
       list: syncPodPointsOf('v1.36').map(shown).slice(2, 5),
       engine: profileV136.steps(runtimeGatesV136).map(({ point }) => shown(point)).slice(2, 5),
       chinese: stepText('syncPod.noteAttempt', 'zh-CN').title,
     }));`,
  );
  const steps = [
    '3 syncPod.killContainers Kill containers that should not run',
    '4 syncPod.noteAttempt Note the attempt',
    '5 syncPod.createPodSandbox Create the sandbox if necessary',
  ];
  expect(shown).toEqual({ list: steps, engine: steps, chinese: '记录尝试次数' });

  const found = await output(
    join(folder, 'scripts/lib/check.ts'),
    `import { syncPodPoints } from '../../packages/flow/src/index.ts';
     import { findPointSources } from './point-sources.ts';
     const { points, decisions } = await findPointSources();
     console.log(JSON.stringify({
       missing: Object.values(syncPodPoints).map(({ id }) => id).filter((id) => !points[id]),
       places: [...points['syncPod.noteAttempt'], decisions['noteAttempt']],
     }));`,
  );
  const path = 'packages/kuberuntime/src/sync/step-lists.ts';
  const line = 1 + readFileSync(join(folder, path), 'utf8').split('\n').indexOf('    run: (ctx, { actions }) =>');
  expect(found).toEqual({
    missing: [],
    places: [
      { path, line },
      { path, line: line + 1 },
    ],
  });
});
