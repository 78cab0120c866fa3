import { cpSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ruleMessages } from '../../packages/trace/src/explain/rule-messages.ts';
import { applyEdits, copyPackages, output, pageText, root } from './example-edits.ts';

/** Further packages in which the function that finds source lines searches. */
const linked = ['cri', 'kubelet', 'dockershim', 'simulated-runtime'];
const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** Returns a directory with copies of the packages of the flow, and the function that finds source lines in it. */
function copyFlow(): string {
  const folder = copyPackages(['packages/flow', 'packages/kuberuntime']);
  folders.push(folder);
  for (const name of linked) symlinkSync(join(root, 'packages', name), join(folder, 'packages', name));
  cpSync(join(root, 'scripts/lib/point-sources.ts'), join(folder, 'scripts/lib/point-sources.ts'));
  return folder;
}

it('adds a step to list, texts, engine and source lines with the page’s edits, no rule without a text', async () => {
  const folder = copyFlow();
  expect(applyEdits(pageText('develop/adding-a-step.md'), folder)).toHaveLength(3);
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
       places: points['syncPod.noteAttempt'],
       rules: Object.keys(decisions).filter((rule) => !rule.includes('*')),
     }));`,
  );
  const path = 'packages/kuberuntime/src/sync/step-lists.ts';
  const lines = readFileSync(join(folder, path), 'utf8').split('\n');
  const line = 1 + lines.findIndex((text) => text.startsWith('    run: (ctx, { actions }) => ctx.span'));
  const { rules, ...places } = found as { readonly rules: readonly string[] };
  expect(places).toEqual({ missing: [], places: [{ path, line }] });
  // As in point-sources.test.ts of the debugger.
  expect(rules.length).toBeGreaterThan(50);
  expect(rules.filter((rule) => !(rule in ruleMessages))).toEqual([]);
});
