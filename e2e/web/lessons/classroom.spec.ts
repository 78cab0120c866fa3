/** Tests a class in the page: a teacher and three learners, over plain HTTP at a network address where there is one. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import { type ClassProcess, networkAddress, startClass } from '../../support/class.ts';
import { makeCertificate } from '../../support/https.ts';
import { axe } from '../../support/page/axe.ts';
import { builtSite, serveSite } from '../../support/page/static-site.ts';
import { startPodscope } from '../../support/podscope.ts';

let started: ClassProcess;
let browser: Browser;
let teacher: Page;
const learners: Page[] = [];
const names = ['Ada', 'Bo', ''] as const;

/** Returns the address at which other machines reach the class. Browsers don't treat its pages as secure. */
const joinLink = (): string => {
  const { port } = new URL(started.origin);
  return `http://${networkAddress() ?? '127.0.0.1'}:${port}/?class=${started.code}`;
};

/** A lesson of the teacher’s own, with the id of a lesson of the library, in which the second option is right. */
const ownLesson = `---
id: crash-loops
title: My own crash
summary: A container restarts.
minutes: 1
---

## It restarts {#first-restart}

\`\`\`scene
scenario: crash-loop
at: 2
until: 4
options:
  - { never: { type: runtimeStateChanged, name: app, attempt: 1, to: running } }
  - { happens: { type: runtimeStateChanged, name: app, attempt: 1, to: running } }
\`\`\`

The process exits. <img src=x>

? Does it restart?

- [ ] No
      It does.
- [ ] Yes

It does at once.
`;

const newPage = async (width: number, height: number): Promise<Page> =>
  (await browser.newContext({ viewport: { width, height } })).newPage();

async function joinAs(name: string): Promise<Page> {
  const page = await newPage(1024, 768);
  await page.goto(joinLink());
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Class' })).toBeVisible();
  return page;
}

const learnerRow = (name: string) => teacher.getByRole('row', { name });

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser: shared }) => {
  browser = shared;
  started = await startClass();
  teacher = await newPage(1440, 900);
  await teacher.goto(started.teacher);
  for (const name of names) learners.push(await joinAs(name));
});

test.afterAll(async () => {
  for (const page of [teacher, ...learners]) await page.context().close();
  await started.stop();
});

test('shows the teacher every learner, named or not, and how to join', async () => {
  for (const name of ['Ada', 'Bo', 'Learner 3']) await expect(learnerRow(name)).toBeVisible();
  await expect(teacher.getByRole('img', { name: 'QR code of the join link' })).toBeVisible();
  await expect(teacher.getByText(started.code).first()).toBeVisible();
  expect(new URL(teacher.url()).search).not.toContain('token');
});

test('has a dashboard and a learner’s bar that assistive technology can use', async () => {
  const [ada] = learners as [Page];
  for (const page of [teacher, ada]) {
    const { violations } = await axe(page).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
});

test('runs without a secure context if the machine has a network', async () => {
  const [ada] = learners as [Page];
  expect(await ada.evaluate(() => isSecureContext)).toBe(networkAddress() === undefined);
});

test('sends a scenario to all nodes and shows who has completed it', async () => {
  await teacher.getByRole('button', { name: 'Everyone do this' }).click();
  await teacher.getByRole('radio', { name: 'Scenario' }).click();
  await teacher.getByRole('combobox', { name: 'Scenario' }).selectOption('crash-loop');
  await teacher.getByRole('button', { name: 'Send to everyone' }).click();
  await expect(teacher.getByText('3 of 3 completed')).toBeVisible();
  for (const page of learners) await expect(page.getByRole('heading', { name: 'default/crash-loop' })).toBeVisible();
});

test('shows the teacher’s pod, instant and tab on all screens until released', async () => {
  const [ada] = learners as [Page];
  await teacher.getByRole('button', { name: 'Show my run' }).click();
  await teacher.goto(new URL('/?teach&scenario=one-container&seed=3', started.origin).href);
  await teacher.getByRole('button', { name: 'Show my run' }).click();
  await expect(teacher.getByRole('heading', { name: 'default/one-container' })).toBeVisible();
  await teacher.getByRole('button', { name: 'Everyone look here' }).click();
  for (const page of learners) await expect(page.getByRole('heading', { name: 'default/one-container' })).toBeVisible();
  await teacher.getByRole('tab', { name: 'Spec' }).click();
  await expect(ada.getByRole('tab', { name: 'Spec' })).toHaveAttribute('aria-selected', 'true');
  await teacher.getByRole('tab', { name: 'Logs' }).click();
  for (const page of [teacher, ada]) await expect(page.getByRole('log', { name: 'Log of app' })).toContainText('hello');
  await teacher.getByRole('button', { name: 'Go to start' }).click();
  const at = (page: Page): string | null => new URL(page.url()).searchParams.get('at');
  await expect.poll(() => at(teacher)).not.toBeNull();
  await expect.poll(() => at(ada) === at(teacher)).toBe(true);
  await teacher.getByRole('button', { name: 'Release all screens' }).click();
  for (const page of learners) await expect(page.getByRole('heading', { name: 'default/crash-loop' })).toBeVisible();
});

test('asks for a prediction and judges it by the learners’ runs', async () => {
  const [ada, bo] = learners as [Page, Page];
  await teacher.getByRole('button', { name: 'Ask everyone' }).click();
  await teacher.getByRole('radio', { name: 'When does it restart?' }).click();
  await teacher.getByRole('button', { name: 'Ask everyone' }).last().click();
  for (const [page, seconds] of [
    [ada, '1'],
    [bo, '500'],
  ] as const) {
    const card = page.getByRole('region', { name: 'Question' });
    await card.getByRole('spinbutton').fill(seconds);
    await card.getByRole('button', { name: 'Answer' }).click();
  }
  await expect(bo.getByRole('region', { name: 'Question' })).toContainText('Not quite. The run shows:');
  await expect(teacher.getByText('2 of 3 answered')).toBeVisible();
  await expect(learnerRow('Bo')).toContainText('0 right, 1 wrong');
  await teacher.getByRole('button', { name: 'Show result to all' }).click();
  await expect(ada.getByRole('list', { name: 'Answers' }).getByRole('listitem')).toHaveCount(2);
});

test('asks which step comes next at a stop inside a sync, and judges it from there', async () => {
  const [ada, bo] = learners as [Page, Page];
  const stop = JSON.stringify([{ point: 'syncPod.computePodActions', pod: 'one-container' }]);
  const address = new URL('/?teach&scenario=one-container&seed=3', started.origin);
  address.searchParams.set('break', stop);
  await teacher.goto(address.href);
  await teacher.getByRole('button', { name: 'Show my run' }).click();
  await expect(teacher.getByRole('toolbar', { name: 'Debugger' }).getByRole('status')).toContainText('before');
  await teacher.getByRole('button', { name: 'Ask everyone' }).click();
  const dialog = teacher.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Which step comes next?' }).click();
  await dialog.getByRole('button', { name: 'Ask everyone' }).click();
  // All steps up to the creation of the sandbox begin in the same millisecond.
  for (const [page, step] of [
    [ada, 'Kill the pod if the sandbox has changed'],
    [bo, 'Create the sandbox if necessary'],
  ] as const) {
    const card = page.getByRole('region', { name: 'Question' });
    await expect(page.getByRole('heading', { name: 'default/one-container' })).toBeVisible();
    await card.getByRole('radio', { name: step }).check();
    await card.getByRole('button', { name: 'Answer' }).click();
  }
  await expect(ada.getByRole('region', { name: 'Question' })).toContainText('Right');
  await expect(bo.getByRole('region', { name: 'Question' })).toContainText('Not quite. The run shows:');
  for (const page of [ada, bo]) await page.getByRole('button', { name: 'Close', exact: true }).click();
  await teacher.getByRole('button', { name: 'Close question' }).click();
});

test('shows raised hands, lessons and their answers', async () => {
  const [ada] = learners as [Page];
  await ada.getByRole('button', { name: 'Raise hand' }).click();
  await expect(teacher.getByText('1 hand raised')).toBeVisible();
  await learnerRow('Ada').getByRole('button', { name: 'Lower hand' }).click();
  await expect(ada.getByRole('button', { name: 'Raise hand' })).toBeVisible();
  await teacher.getByRole('button', { name: 'Everyone do this' }).click();
  await teacher.getByRole('button', { name: 'Send to everyone' }).click();
  const lesson = ada.getByRole('complementary', { name: /^Lesson: / });
  await expect(lesson).toBeVisible();
  await expect(learnerRow('Ada')).toContainText('step 1 of');
});

test('opens a learner’s run, and points and sets a breakpoint there with consent only', async () => {
  const [, bo] = learners as [Page, Page];
  await teacher.getByRole('button', { name: 'Open the run of Bo' }).click();
  await expect(bo.getByText('The teacher looks at your run.')).toBeVisible();
  const tools = teacher.getByRole('region', { name: 'Run of Bo' });
  await expect(tools.getByRole('button', { name: 'Point here' })).toHaveCount(0);
  await tools.getByRole('button', { name: 'Ask to point' }).click();
  await bo.getByRole('button', { name: 'Allow', exact: true }).click();
  await expect(teacher.locator('main').getByRole('tab', { name: 'Events' })).toBeVisible();
  await teacher.getByRole('tab', { name: 'Events' }).click();
  await tools.getByRole('button', { name: 'Point here' }).click();
  await expect(bo.getByRole('tab', { name: 'Events' })).toHaveAttribute('aria-selected', 'true');
  await tools.getByRole('combobox', { name: 'Breakpoint at' }).selectOption({ index: 1 });
  await expect(tools.getByRole('button', { name: 'Clear' })).toBeVisible();
  await sendToAll('Scenario', (dialog) =>
    dialog.getByRole('combobox', { name: 'Scenario' }).selectOption('crash-loop'),
  );
  // The breakpoint belongs to the run before.
  await expect(tools.getByRole('button', { name: 'Clear' })).toHaveCount(0);
  await bo.getByRole('button', { name: 'Withdraw permission' }).click();
  await expect(tools.getByRole('button', { name: 'Point here' })).toHaveCount(0);
  await tools.getByRole('button', { name: 'Close run' }).click();
});

test('opens the exercise for a late joiner and after a reload, and shows the teacher each attempt', async () => {
  await sendToAll('Lesson', async (dialog) => {
    await dialog.getByRole('combobox', { name: 'Lesson', exact: true }).selectOption('fix-image');
    await dialog.getByRole('combobox', { name: 'Step' }).selectOption('repair');
  });
  const late = await joinAs('Zoe');
  learners.push(late);
  const lesson = late.getByRole('complementary', { name: /^Lesson: Repair/ });
  const manifest = lesson.getByRole('textbox', { name: 'Manifest' });
  await expect(manifest).toContainText('ngnix:1.27');
  await late.reload();
  await expect(late.getByRole('region', { name: 'Class' })).toContainText('Zoe');
  await expect(manifest).toContainText('ngnix:1.27');
  await expect(learnerRow('Zoe')).toHaveCount(1);

  const apply = lesson.getByRole('button', { name: 'Apply and run 60 seconds' });
  await apply.click();
  await expect(lesson.getByRole('status')).toContainText('Attempt 1: not all goals are met yet.');
  await expect(learnerRow('Zoe')).toContainText('Attempt 1: 1 of 2 goals met');
  const container = '{ name: server, image: "nginx:1.27" }';
  await manifest.fill(`{ apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [${container}] } }`);
  await apply.click();
  await expect(lesson.getByRole('status')).toContainText('Solved after 2 attempts.');
  await expect(learnerRow('Zoe')).toContainText('Attempt 2: 2 of 2 goals met');
});

/** Sends a task of one kind to everyone; `fill` completes the form. */
async function sendToAll(kind: string, fill: (dialog: Locator) => Promise<unknown>): Promise<void> {
  await teacher.getByRole('button', { name: 'Everyone do this' }).click();
  const dialog = teacher.getByRole('dialog');
  await dialog.getByRole('radio', { name: kind }).click();
  await fill(dialog);
  await dialog.getByRole('button', { name: 'Send to everyone' }).click();
  await expect(dialog).toBeHidden();
}

test('sends the teacher’s own lesson, shows its title, and judges its question by the run', async () => {
  const [ada] = learners as [Page];
  await sendToAll('Lesson', async (dialog) => {
    const chooser = teacher.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'Add lesson from a file…' }).click();
    const file = { name: 'crash-loops.md', mimeType: 'text/markdown', buffer: Buffer.from(ownLesson) };
    await (await chooser).setFiles(file);
    await expect(dialog.getByRole('combobox', { name: 'Lesson', exact: true })).toHaveValue('own:crash-loops');
  });
  const lesson = ada.getByRole('complementary', { name: 'Lesson: My own crash' });
  await expect(lesson).toContainText('<img src=x>');
  await expect(lesson.locator('img')).toHaveCount(0);
  await expect(learnerRow('Ada')).toContainText('My own crash · step 1 of 1 · It restarts');
  const before = Number(/(\d+) right/.exec(await learnerRow('Ada').innerText())?.[1]);
  await lesson.getByRole('radio', { name: 'Yes' }).check();
  await lesson.getByRole('button', { name: 'Run it' }).click();
  await expect(learnerRow('Ada')).toContainText(`${before + 1} right`);
});

test('sends a fault plan, a breakpoint and a manifest, each completed when it takes effect on a node', async () => {
  const [ada] = learners as [Page];
  const completed = teacher.getByText(`${learners.length} of ${learners.length} completed`);
  await sendToAll('Scenario', (dialog) =>
    dialog.getByRole('combobox', { name: 'Scenario' }).selectOption('one-container'),
  );
  await expect(completed).toHaveCount(1);
  for (const page of learners) {
    await expect(page.getByRole('heading', { name: 'default/one-container' })).toBeVisible();
    await expect(page.getByText('Running', { exact: true }).filter({ visible: true }).first()).toBeVisible();
  }
  await sendToAll('Fault plan', (dialog) =>
    dialog
      .getByRole('textbox', { name: 'Fault plan' })
      .fill('name: slow-sandbox\nfaults: [{ at: cri.RunPodSandbox, delay: 100ms }]'),
  );
  await sendToAll('Breakpoint', (dialog) =>
    dialog.getByRole('combobox', { name: 'Breakpoint at' }).selectOption('syncPod.startContainers'),
  );
  const begun = teacher.getByRole('cell', { name: 'started' });
  await expect(begun).toHaveCount(learners.length);
  // No pod has been created since then, so neither task has taken effect.
  await expect(completed).toHaveCount(1);
  const container = '{ name: app, image: "busybox:1.36", command: [sleep, "60"] }';
  const manifest = `{ apiVersion: v1, kind: Pod, metadata: { name: practice }, spec: { containers: [${container}] } }`;
  await sendToAll('Manifest', (dialog) => dialog.getByRole('textbox', { name: 'Manifest' }).fill(manifest));
  await expect(completed).toHaveCount(4);
  await expect(ada.getByText('practice').first()).toBeVisible();
  await sendToAll('Manifest', (dialog) => dialog.getByRole('textbox', { name: 'Manifest' }).fill('kind: Pod'));
  await expect(teacher.getByText(`failed for ${learners.length}`)).toBeVisible();
});

test('shows the presenter the class, without buttons that open runs', async () => {
  const presenter = await teacher.context().newPage();
  try {
    await presenter.goto(new URL('/?presenter=yes&teach', started.origin).href);
    const row = presenter.getByRole('row', { name: 'Ada' });
    // The last task failed on every node.
    await expect(row).toContainText('failed');
    await expect(presenter.getByRole('button')).toHaveCount(0);
  } finally {
    await presenter.close();
  }
});

test('saves a report, ends the class and deletes the names', async () => {
  await teacher.getByRole('button', { name: 'End the class' }).click();
  const dialog = teacher.getByRole('dialog');
  const saving = teacher.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Report (CSV)' }).click();
  const csv = await readFile(await (await saving).path(), 'utf8');
  expect(csv).toContain('Bo,');
  const savingPage = teacher.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Report (HTML)' }).click();
  const report = await newPage(1024, 768);
  await report.setContent(await readFile(await (await savingPage).path(), 'utf8'));
  const answers = report.getByRole('table').first();
  await expect(
    answers.getByRole('columnheader', { name: 'In how many seconds will the container start again?' }),
  ).toBeVisible();
  await expect(answers.getByRole('row', { name: /^Bo / })).toContainText('wrong500 s');
  await report.context().close();
  await dialog.getByRole('button', { name: 'End the class now' }).click();
  await expect(teacher.getByText('The class has ended. The learners’ names have been deleted.')).toBeVisible();
  await expect(learnerRow('Learner 1')).toBeVisible();
  await expect(learnerRow('Ada')).toHaveCount(0);
  for (const page of learners) await expect(page.getByText('The class has ended.')).toBeVisible();
});

test('starts a class from the page of a node', async () => {
  const node = await startPodscope({ runtime: 'sim' });
  const page = await newPage(1024, 768);
  try {
    await page.goto(node.url);
    await page.getByRole('button', { name: 'Start a class' }).click();
    const dialog = page.getByRole('dialog', { name: 'Start a class' });
    await dialog.getByRole('button', { name: 'Start a class' }).click();
    const opening = page.waitForEvent('popup');
    await dialog.getByRole('link', { name: 'Open the teacher’s page' }).click();
    const opened = await opening;
    await expect(opened.getByRole('img', { name: 'QR code of the join link' })).toBeVisible();
    // Learners never reach the node, because the class has its own port.
    expect(new URL(opened.url()).port).not.toBe(new URL(node.url).port);
  } finally {
    await page.context().close();
    await node.stop();
  }
});

test('lets learners join over TLS from the static site on another host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podscope-class-'));
  const { certificate, key } = await makeCertificate(folder);
  const site = await serveSite((await builtSite()).directory, "'self' wss:");
  const secure = await startClass(['--class-site', site.url, '--tls-cert', certificate, '--tls-key', key]);
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  try {
    const server = `https://127.0.0.1:${new URL(secure.origin).port}`;
    const page = await context.newPage();
    await page.goto(`${site.url}?class=${secure.code}&server=${encodeURIComponent(server)}`);
    await expect(page.getByText(`on ${server}`)).toBeVisible();
    await page.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Class' })).toContainText('Learner 1');
  } finally {
    await context.close();
    await secure.stop();
    await site.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
