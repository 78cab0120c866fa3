/** Tests the static site inside other pages: the web component, its messages, and lesson packages for platforms. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type PodscopeSite, servePodscopeSite } from '@podscope/playwright';
import { strFromU8, unzipSync } from 'fflate';
import { command } from '../../../apps/cli/src/lessons/command.ts';

let directory: string;
/** The unpacked lesson package, which contains the whole site. */
let site: PodscopeSite;
/** A page of another origin, such as a blog. */
let blog: Server;
let blogUrl: string;
let blogPage = '';

const lesson = `---
id: short
title: A short lesson
summary: One question.
minutes: 1
---

## It runs {#runs}

\`\`\`scene
scenario: crash-loop
at: 1
until: 4
options:
  - { happens: { type: runtimeStateChanged, name: app, attempt: 0, to: exited } }
  - { never: { type: runtimeStateChanged, name: app, attempt: 0, to: exited } }
\`\`\`

The process runs.

? What happens?

- [ ] It exits
- [ ] It runs on
      It sleeps for two seconds only.

It exits with code 1.

## It restarts {#restarts}

\`\`\`scene
scenario: crash-loop
at: 5
\`\`\`

The kubelet starts it again.
`;

test.beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-embedding-'));
  const file = join(directory, 'short.md');
  await writeFile(file, lesson);
  expect(await command.run(['export', '--scorm', '--out', directory, file, 'crash-loops'])).toBe(0);
  const folder = join(directory, 'unpacked');
  for (const [path, content] of Object.entries(unzipSync(await readFile(join(directory, 'short.scorm.zip'))))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  const runtime = join(import.meta.dirname, '../../node_modules/scorm-again/dist/scorm12.min.js');
  await writeFile(join(folder, 'runtime.js'), await readFile(runtime));
  site = await servePodscopeSite(folder);
  blog = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(blogPage);
  });
  await new Promise<void>((done) => {
    blog.listen(0, '127.0.0.1', done);
  });
  blogUrl = `http://127.0.0.1:${(blog.address() as AddressInfo).port}/`;
});

test.afterAll(async () => {
  blog.close();
  await site.stop();
  await rm(directory, { recursive: true, force: true });
});

interface State {
  readonly seconds: number;
  readonly paused: boolean;
}
interface Player extends HTMLElement {
  load(what: object): Promise<State>;
  play(speed?: number): Promise<State>;
  pause(): Promise<State>;
  seek(seconds: number): Promise<State>;
  state(): Promise<State>;
}

test('a page of another origin controls the player and receives the answers', async ({ page }) => {
  blogPage = `<!doctype html><title>Blog</title>
    <podscope-player scenario="crash-loop" seed="3" at="2"></podscope-player>
    <script src="${site.url}podscope-player.js"></script>`;
  await page.goto(blogUrl);
  const player = page.locator('podscope-player');
  const frame = page.frameLocator('podscope-player iframe');
  expect(await player.evaluate((element: Player) => element.state())).toMatchObject({ seconds: 2, paused: true });
  expect(await player.evaluate((element: Player) => element.seek(14))).toMatchObject({ seconds: 14 });
  expect(await player.evaluate((element: Player) => element.seek(1))).toMatchObject({ seconds: 1, paused: true });
  expect(await player.evaluate((element: Player) => element.play(5))).toMatchObject({ paused: false });
  expect(await player.evaluate((element: Player) => element.pause())).toMatchObject({ paused: true });
  // The call rejects if the page reports an error.
  const refused = player.evaluate((element: Player) => element.load({ lesson: 'no-such-lesson' }));
  await expect(refused).rejects.toThrow('No lesson has the id no-such-lesson');

  // The page ignores messages from any window but its parent. Here the page's own window sends one.
  await frame.locator('body').evaluate(() => {
    window.postMessage({ podscope: 1, id: 1, request: { do: 'seek', seconds: 60 } }, '*');
  });
  await player.evaluate((element: Player, text) => element.load({ text }), lesson);
  await player.evaluate((element) => {
    const answered = new Promise((resolve) => {
      element.addEventListener('answer', (event) => resolve((event as CustomEvent).detail));
    });
    Object.assign(globalThis, { answered });
  });
  await frame.getByRole('radio', { name: 'It runs on' }).check();
  await frame.getByRole('button', { name: 'Run it' }).click();
  const answer = await page.evaluate(() => Reflect.get(globalThis, 'answered') as Promise<unknown>);
  expect(answer).toEqual({ lesson: 'short', step: 'runs', answer: 1, right: 0, isRight: false });
  expect(await player.evaluate((element: Player) => element.state())).toMatchObject({ seconds: 4, step: 'runs' });
});

test('a page whose frame names another origin can’t control the player', async ({ page }) => {
  blogPage = `<!doctype html><title>Blog</title>
    <iframe src="${site.url}?embed&host=https%3A%2F%2Fother.example&scenario=crash-loop&paused"></iframe>`;
  await page.goto(blogUrl);
  const frame = page.frameLocator('iframe');
  await expect(frame.getByRole('heading', { name: 'crash-loop' })).toBeVisible();
  /** Pauses the node and returns its time. Earlier requests take effect before the pause. */
  const now = (): Promise<number> =>
    frame.locator('body').evaluate(async () => {
      const { podscope } = globalThis as unknown as { podscope: { pause(): Promise<{ now: number }> } };
      return (await podscope.pause()).now;
    });
  const before = await now();
  await page.evaluate(() => {
    for (let index = 0; index < frames.length; index++)
      frames[index]?.postMessage({ podscope: 1, id: 1, request: { do: 'seek', seconds: 60 } }, '*');
  });
  expect(await now()).toBe(before);
});

test('the package of a lesson of the library contains its Chinese text', async () => {
  const files = unzipSync(await readFile(join(directory, 'crash-loops.scorm.zip')));
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['imsmanifest.xml', 'index.html', 'scorm.html']));
  expect(JSON.parse(strFromU8(files['lesson.json'] ?? new Uint8Array()))).toMatchObject({
    text: expect.stringContaining('\nid: crash-loops\n'),
    translation: expect.stringMatching(/\nid: crash-loops\n[^]*\nlanguage: zh-CN\n/),
  });
});

test('a lesson package reports status, score, location and progress to a SCORM runtime', async ({ page }) => {
  const manifest = await readFile(join(directory, 'unpacked/imsmanifest.xml'), 'utf8');
  expect(manifest).toContain('adlcp:scormtype="sco" href="scorm.html"');
  await writeFile(
    join(directory, 'unpacked/platform.html'),
    '<!doctype html><title>Platform</title><script src="runtime.js"></script><script src="platform.js"></script>',
  );
  // The platform stores the data of a visit in its own storage.
  await writeFile(
    join(directory, 'unpacked/platform.js'),
    `const { Scorm12API } = window;
     window.API = new Scorm12API({ autocommit: false });
     const kept = sessionStorage.getItem('cmi');
     if (kept) window.API.loadFromJSON(JSON.parse(kept), '');
     addEventListener('DOMContentLoaded', () => {
       const frame = document.createElement('iframe');
       frame.src = 'scorm.html';
       frame.style.cssText = 'width: 1200px; height: 700px';
       document.body.append(frame);
     });`,
  );
  const value = (name: string): Promise<string> =>
    page.evaluate((key) => {
      const { API } = window as unknown as { API: { LMSGetValue(name: string): string } };
      return API.LMSGetValue(key);
    }, name);
  await page.goto(`${site.url}platform.html`);
  const lessonFrame = page.frameLocator('iframe').frameLocator('podscope-player iframe');
  await expect.poll(() => value('cmi.core.lesson_status')).toBe('incomplete');
  await lessonFrame.getByRole('radio', { name: 'It exits' }).check();
  await lessonFrame.getByRole('button', { name: 'Run it' }).click();
  await expect.poll(() => value('cmi.core.score.raw')).toBe('100');
  expect(await value('cmi.core.lesson_location')).toBe('runs');
  expect(await value('cmi.core.lesson_status')).toBe('incomplete');

  // The learner leaves and returns. The lesson then opens at the same step.
  await lessonFrame.getByRole('button', { name: 'Next', exact: true }).click();
  await expect.poll(() => value('cmi.core.lesson_status')).toBe('completed');
  expect(JSON.parse(await value('cmi.suspend_data'))).toEqual({ done: ['runs', 'restarts'], right: { runs: true } });
  await page.evaluate(() => {
    const { API } = window as unknown as { API: { renderCMIToJSONString(): string } };
    const { cmi } = JSON.parse(API.renderCMIToJSONString()) as { cmi: object };
    sessionStorage.setItem('cmi', JSON.stringify(cmi));
  });
  await page.reload();
  await expect(lessonFrame.getByRole('heading', { name: 'It restarts' })).toBeVisible();
  expect(await value('cmi.core.lesson_status')).toBe('completed');
});
