/** Sends the requests on the pages about debugging to a server, in the order of each page. */
import { afterEach, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '../../apps/server/src/testing/test-server.ts';
import { blocksOf, pageText } from './example-edits.ts';

const web = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: {
    terminationGracePeriodSeconds: 0,
    containers: ['first', 'second'].map((name) => ({ name, image: 'busybox:1.36', command: ['sleep', '3600'] })),
  },
});

let server: TestServer;

afterEach(() => server.dispose());

const post = (body: object): ReturnType<TestServer['request']> =>
  server.request('POST', '/debug/v1/commands', { body });

/** Sends a command and returns its result. @throws Error with the answer if the server rejects it */
async function accepted(body: object): Promise<unknown> {
  const { status, text, json } = await post(body);
  if (status !== 200) throw new Error(`${JSON.stringify(body)}: ${status} ${text}`);
  return json;
}

/** Returns the shell blocks of a page that send requests. */
const requestBlocks = (page: string): readonly (readonly string[])[] =>
  blocksOf(pageText(page)).flatMap(({ language, text }) =>
    language === 'sh' && text.includes('"command"') ? [text.replaceAll(/\\\n\s*/g, ' ').split('\n')] : [],
  );

interface State {
  readonly stopped: readonly { readonly thread: string }[];
}

/** Returns the thread that is stopped, after waiting for it. */
const stoppedThread = (): Promise<string> =>
  vi.waitFor(
    async () => {
      const { stopped } = (await post({ command: 'debugState' })).json as State;
      if (!stopped[0]) throw new Error('no thread is stopped');
      return stopped[0].thread;
    },
    { timeout: 120_000 },
  );

/**
 * Sends the requests of a block and returns their results.
 * @param numbers event numbers that replace those of the page
 */
async function send(
  lines: readonly string[],
  numbers: readonly (readonly [string, string])[] = [],
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const line of lines) {
    if (line.startsWith('kubectl apply')) await accepted({ command: 'apply', manifest: web });
    const [, shown] = /^(?:run|curl .* -d) '(\{.*\})'/.exec(line) ?? [];
    if (shown === undefined) continue;
    const thread = shown.includes('5f0c…') || shown.includes('debugState') ? await stoppedThread() : '';
    // The numbers first: the id of a thread can contain them.
    const text = numbers.reduce((all, [from, to]) => all.replace(from, to), shown).replace('5f0c…', thread);
    results.push(await accepted(JSON.parse(text) as object));
  }
  return results;
}

/** Returns the states of the pod's containers. */
const states = async (): Promise<readonly string[]> => {
  const { json } = await server.request('GET', '/api/v1/namespaces/default/pods/web');
  const { status } = json as {
    readonly status?: { readonly containerStatuses?: readonly { readonly state: object }[] };
  };
  return (status?.containerStatuses ?? []).flatMap(({ state }) => Object.keys(state));
};

const [failing = [], deciding = [], keeping = [], past = [], again = [], ...others] = requestBlocks('use/debugging.md');

it('fails a call with the error of the page', async () => {
  expect(others).toEqual([]);
  server = await startTestServer();
  const [set, , mounts] = await send(failing);
  expect(set).toMatchObject({ breakpoints: [{ verified: true }] });
  expect(mounts).toMatchObject({ value: expect.stringContaining('/dev/termination-log') as string });
  const events = async (): Promise<string> =>
    JSON.stringify((await server.request('GET', '/api/v1/namespaces/default/events')).json);
  await expect.poll(events).toContain('no space left on device');
});

it('starts only the second container with the changed decision of the page', async () => {
  server = await startTestServer();
  const [, decided] = await send(deciding);
  expect(decided).toMatchObject({ value: expect.stringContaining('containersToStart') as string });
  await expect.poll(states).toEqual(['waiting', 'running']);
});

it('keeps a container whose liveness probe fails, with the changed decision of the page', async () => {
  server = await startTestServer();
  const livenessProbe = { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 };
  const container = { name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'], livenessProbe };
  const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [container] } };
  const [setBreakpoint = '', ...change] = keeping;
  await send([setBreakpoint]);
  await accepted({ command: 'apply', manifest: JSON.stringify(manifest) });
  const thread = await stoppedThread();
  const end = [{ point: 'kubelet.SyncPod', when: 'after', pod: 'web' }];
  await accepted({ command: 'setBreakpoints', group: 'end', breakpoints: end });
  await send(change);
  expect(await stoppedThread()).toBe(thread);
  const { json } = await server.request('GET', '/api/v1/namespaces/default/events');
  const reasons = (json as { readonly items: readonly { readonly reason: string }[] }).items.map(
    ({ reason }) => reason,
  );
  expect(reasons.filter((reason) => ['Killing', 'Started'].includes(reason))).toEqual(['Started']);
  expect(await states()).toEqual(['running']);
});

it('steps back, and runs the run again, with the numbers of events of this run', async () => {
  server = await startTestServer();
  await send(deciding.slice(0, 2));
  const thread = await stoppedThread();
  const [back] = await send(past, [
    ['812', '20'],
    ['5f0c…', thread],
  ]);
  expect(back).toHaveProperty('hit');
  await post({ command: 'continue', thread });
  const [rerun] = await send(again, [['1200', '20']]);
  expect(rerun).toMatchObject({ run: expect.stringMatching(/-2$/) as string });
});

it('sets the breakpoint of the protocol’s example', async () => {
  server = await startTestServer();
  const blocks = requestBlocks('reference/protocol.md');
  expect(blocks).toHaveLength(1);
  const [set] = await send(blocks[0] ?? []);
  expect(set).toMatchObject({ breakpoints: [{ verified: true }] });
});
