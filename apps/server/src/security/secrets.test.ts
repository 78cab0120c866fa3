/**
 * Tests that the values of Secrets leave the server only through the Kubernetes API. The test uses a long and a short
 * value.
 */
import type { Command } from '@podscope/protocol';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startTestServer, type TestServer } from '../testing/test-server.ts';

const long = 'open-sesame-and-more';
const short = '4711';
const encoded = (text: string): string => Buffer.from(text).toString('base64');

const secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'vault', namespace: 'default' },
  data: { long: encoded(long), short: encoded(short) },
};
const from = (key: string) => ({ secretKeyRef: { name: 'vault', key } });
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        command: ['sleep', '3600'],
        args: ['--pin=$(PIN)'],
        env: [
          { name: 'LONG', valueFrom: from('long') },
          { name: 'PIN', valueFrom: from('short') },
          { name: 'URL', value: 'db://$(LONG):$(PIN)@host' },
        ],
      },
    ],
  },
};

let server: TestServer;
afterEach(() => server.dispose());

const post = async (body: Command): Promise<{ readonly text: string; readonly json: unknown }> => {
  const { status, text, json } = await server.request('POST', '/debug/v1/commands', { body });
  expect({ status, text }).toMatchObject({ status: 200 });
  return { text, json };
};

const variableList = z.object({ variables: z.array(z.object({ variablesReference: z.number() })) });

/** Returns all values that the inspector shows below a reference, in the format in which they were sent. */
async function everythingIn(reference: number, depth: number): Promise<string> {
  const { text, json } = await post({ command: 'variables', variablesReference: reference });
  const below = variableList
    .parse(json)
    .variables.filter(({ variablesReference }) => variablesReference > 0 && depth > 0);
  const texts: string[] = [];
  for (const { variablesReference } of below) texts.push(await everythingIn(variablesReference, depth - 1));
  return [text, ...texts].join('\n');
}

/**
 * Starts the pod, inspects the call that creates its container, and exports the run in every format. Returns everything
 * that the server sent.
 */
async function allThatLeaves(): Promise<string> {
  await post({ command: 'setBreakpoints', breakpoints: [{ point: 'cri.CreateContainer' }] });
  await server.nodeHost.commands.apply(`${JSON.stringify(secret)}\n---\n${JSON.stringify(pod)}`);
  const thread = await vi.waitFor(
    async () => {
      const { json } = await server.request('GET', '/debug/v1/state');
      const [stopped] = z.object({ stopped: z.array(z.object({ thread: z.string() })) }).parse(json).stopped;
      if (!stopped) throw new Error('nothing is stopped');
      return stopped.thread;
    },
    { timeout: 120_000 },
  );
  const { json: stack } = await post({ command: 'stackTrace', thread });
  const frames = z.object({ frames: z.array(z.object({ id: z.number() })) }).parse(stack).frames;
  const shown: string[] = [];
  for (const { id } of frames) {
    const { json } = await post({ command: 'scopes', thread, frame: id });
    const { scopes } = z.object({ scopes: z.array(z.object({ variablesReference: z.number() })) }).parse(json);
    for (const { variablesReference } of scopes) shown.push(await everythingIn(variablesReference, 5));
  }
  await post({ command: 'setBreakpoints', breakpoints: [] });
  await post({ command: 'continue', thread });
  await vi.waitFor(
    () => expect(server.nodeHost.api.storage.get('Pod', 'default', 'web')?.status?.phase).toBe('Running'),
    {
      timeout: 120_000,
    },
  );
  const { run } = server.nodeHost.nodeInfo();
  const events = await server.request('GET', `/runs/${run}/events`);
  // The trace file contains the same events, gzipped.
  const exported = await Promise.all(
    ['otlp', 'perfetto'].map((format) => server.request('GET', `/runs/${run}/export?format=${format}`)),
  );
  expect([events, ...exported].map(({ status }) => status)).toEqual([200, 200, 200]);
  return [...shown, events.text, ...exported.map(({ text }) => text)].join('\n');
}

it('masks secrets in every variable, event and export', async () => {
  server = await startTestServer();
  const left = await allThatLeaves();
  // Check that the collected text isn't empty: it contains the variables of the inspected call.
  expect(left).toContain('PIN');
  expect(left).toContain('••••••');
  const texts = [long, encoded(long), `=${short}`, `"${short}"`, `${short}@host`];
  expect(texts.filter((text) => left.includes(text))).toEqual([]);
});

it('shows secrets on request', async () => {
  server = await startTestServer(['--show-secrets']);
  const left = await allThatLeaves();
  expect(left).toContain(long);
  expect(left).toContain(`=${short}`);
});
