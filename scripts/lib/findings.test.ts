/** Checks that each defect that a review of the page found has a browser test, which names the defect's number. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** The defects. The number of a defect is its place in this list. */
const findings = [
  'the Steps tab shows one of four levels, and no steps of a deletion',
  'no place offers to skip the wait of a back-off',
  'a dot on the step of one pod stops all pods',
  'tabs are taller than the space below the controls',
  'a log has only its newest lines',
  'durations of running items are wrong in simulated time',
  'two releases are not side by side, and their statuses belong to different instants',
  'lesson 1 contradicts what the page shows',
  'the Steps tab jumps to the newest sync, which did nothing',
  'the timeline stops following when a pod is deleted',
  'deleted pods leave a pod without a name',
  'the diagnosis gives wrong advice, and lacks log lines and the output of hooks',
  'the inspector keeps its scroll position when another pod is selected',
  'steps accept no breakpoint before the first sync',
  'a pause that waits for a step is invisible',
  'lessons, runs, faults and explanations have no button, and the first screen is empty',
  'long names and many containers are unreadable',
  'deleted pods can’t be hidden, and their back-off continues',
  'the wheel zooms to the present instead of to the pointer',
  'header and inspector disagree while a page loads',
  'a browser without the token gets no form for it',
  'the steps of v1.20 have other numbers than upstream',
  'letters typed after a shortcut are lost',
  'the inspector shows a sandbox that is created as exited',
  'the table has steps in the wrong order, and JavaScript’s errors',
  'invalid conditions and places are saved',
  'Ctrl+Enter does nothing after a template was chosen, and an error stays',
  'the list of pods has a frame around all of it when it is focused',
  'tabs are out of view in small windows',
  'a refused pod seems to wait for its first sync, and texts aren’t translated',
  'a link lacks speed and time, and files have wrong names and sizes',
  'the Playwright kit doesn’t compile strictly, and pasting violates the security policy',
];

const folder = resolve(import.meta.dirname, '../../e2e/web');

it('each finding has a browser test in every run', () => {
  const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => /^\s*test\(|finding \d+[,)]/.test(line) && !line.includes('@long'));
  const tested = new Set(
    titles.flatMap((title) => [...title.matchAll(/finding (\d+)/g)].map(([, number]) => Number(number))),
  );
  expect([...tested].toSorted((a, b) => a - b)).toEqual(findings.map((_, index) => index + 1));
});
