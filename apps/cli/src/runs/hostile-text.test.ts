/** Tests that text from foreign runs, files and pods reaches the terminal without control characters. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventStore } from '@podscope/server/runs';
import { toJson } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { podscope } from './testing/in-process.ts';

/**
 * A text that sets the window title, writes to the clipboard and moves the cursor, with 7-bit and 8-bit sequences, and
 * that reverses the text direction.
 */
const hostile =
  'x\u001b]0;mine\u0007\u001b]52;c;cm0gLXJm\u0007\u001b[1A\u009b2J\u009d0;mine\u009c\u202egnp.exe\r\u0000';
// oxlint-disable-next-line no-control-regex
const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/;

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-say-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

it("prints no control characters from the messages of a pod's containers", async () => {
  const ended = {
    exitCode: 1,
    reason: 'Error',
    message: hostile,
    startedAt: '2026-03-01T10:00:00Z',
    finishedAt: '2026-03-01T10:00:05Z',
  };
  const waiting = { reason: 'CrashLoopBackOff', message: hostile };
  const app = {
    name: 'app',
    image: 'busybox:1.36',
    imageID: '',
    ready: false,
    restartCount: 3,
    state: { waiting },
    lastState: { terminated: ended },
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', uid: 'a', creationTimestamp: '2026-03-01T09:59:00Z' },
    spec: { containers: [{ name: 'app', image: 'busybox:1.36' }] },
    status: { phase: 'Running', startTime: '2026-03-01T09:59:00Z', containerStatuses: [app] },
  };
  const file = join(directory, 'pod.json');
  await writeFile(file, JSON.stringify(pod));
  for (const form of [[], ['--json']]) {
    const { stdout, stderr } = await podscope('explain', file, ...form);
    expect(stdout).toContain('gnp.exe');
    expect([obeyed.exec(stdout), obeyed.exec(stderr)]).toEqual([null, null]);
  }
  await writeFile(file, `${hostile}: [`);
  const { code, stderr } = await podscope('explain', file);
  expect(code).toBeGreaterThan(0);
  expect(obeyed.exec(stderr)).toBeNull();
});

it('prints no control characters from the titles of runs', async () => {
  const store = EventStore.open({
    file: join(directory, 'runs.db'),
    limits: { maxBytes: 1e12, maxAge: 1e15 },
    notify: () => undefined,
  });
  const runtime = { name: 'docker', version: '20.10', kind: 'docker' } as const;
  const named = {
    id: '0ldrun00-0000',
    title: hostile,
    tags: [],
    notes: [],
    startedAt: 0,
    nodeName: 'node',
    runtime,
    profile: 'v1.36',
    engine: 'v1.36.2',
  };
  store.append(store.beginRun({ ...named, steps: [] }), 1, crashLoop(1).events.map(toJson));
  store.close();
  const { code, stdout } = await podscope('runs', '--state-dir', directory);
  expect({ code, obeyed: obeyed.exec(stdout) }).toEqual({ code: 0, obeyed: null });
  expect(stdout).toContain('gnp.exe');
});
