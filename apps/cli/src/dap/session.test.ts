import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FramingError, frameMessage, MessageReader } from './framing.ts';
import { DapClient, DapRefusal, testRoot } from './testing/dap-client.ts';

let directory: string;
let program: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-dap-test-'));
  program = join(directory, 'pod.yaml');
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const pod = (command: readonly string[], spec: object = {}): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { ...spec, containers: [{ name: 'app', image: 'busybox:1.36', command }] },
  });

/** Launches the pods of a manifest in the simulator at full speed. */
async function launch(
  manifest: string,
  args: object = {},
  configure: (client: DapClient) => Promise<unknown> = () => Promise.resolve(),
): Promise<DapClient> {
  await writeFile(program, manifest);
  const client = new DapClient();
  await client.begin('launch', { program, runtime: 'sim', seed: 1, speed: 1_000, ...args }, () => configure(client));
  return client;
}

const top = async (client: DapClient, threadId: unknown): Promise<DebugProtocol.StackFrame> => {
  const { stackFrames } = await client.request<DebugProtocol.StackTraceResponse>('stackTrace', { threadId });
  const [frame] = stackFrames;
  if (!frame) throw new Error('the stack is empty');
  return frame;
};

describe('podscope dap', () => {
  it('runs a pod to its end and reports its flow and its exit code', async () => {
    const client = await launch(pod(['sh', '-c', 'sleep 1; exit 3'], { restartPolicy: 'Never' }));
    expect(await client.event('exited')).toEqual({ exitCode: 1 });
    await client.event('terminated');
    expect(client.console).toContain('container app 0 exited with code 3');
    await client.leave();
  });

  it('stops at a line of the engine, shows variables, sets one, and continues', async () => {
    const client = await launch(pod(['sleep', '3600']), {}, async (each) => {
      const { sources } = await each.request<DebugProtocol.LoadedSourcesResponse>('loadedSources');
      const path = join(testRoot, 'packages/kuberuntime/src/container/start-container.ts');
      expect(sources.map((source) => source.path)).toContain(path);
      const { breakpoints: places } = await each.request<DebugProtocol.BreakpointLocationsResponse>(
        'breakpointLocations',
        {
          source: { path },
          line: 1,
          endLine: 1_000,
        },
      );
      const { breakpoints } = await each.request<DebugProtocol.SetBreakpointsResponse>('setBreakpoints', {
        source: { path },
        breakpoints: [{ line: (places[0]?.line ?? 1) - 1 }, { line: 1, condition: '(' }, { line: 100_000 }],
      });
      expect(breakpoints.map(({ verified, line }) => [verified, line])).toEqual([
        [true, places[0]?.line],
        [false, places[0]?.line],
        [false, undefined],
      ]);
    });
    const { threadId, reason, allThreadsStopped } = await client.event('stopped');
    expect([reason, allThreadsStopped]).toEqual(['breakpoint', false]);
    const frame = await top(client, threadId);
    expect(frame.source?.path).toBe(join(testRoot, 'packages/kuberuntime/src/container/start-container.ts'));
    const said = await client.request<DebugProtocol.EvaluateResponse>('evaluate', {
      expression: 'podName + "!"',
      frameId: frame.id,
    });
    expect(said.result).toBe('"web!"');
    await expect(client.request('evaluate', { expression: 'nonsense', frameId: frame.id })).rejects.toThrow(DapRefusal);
    await client.request('setBreakpoints', { source: { path: frame.source?.path }, breakpoints: [] });
    await client.request('continue', { threadId });
    await client.event('output', ({ output }) => String(output).includes('container app 0 running'));
    await client.leave();
  });

  it('stops at functions by name, with and without receiver, for the reason function breakpoint', async () => {
    const client = await launch(pod(['sleep', '3600']), {}, async (each) => {
      const { breakpoints } = await each.request<DebugProtocol.SetFunctionBreakpointsResponse>(
        'setFunctionBreakpoints',
        {
          breakpoints: ['SyncPod', 'podWorkers.podWorkerLoop', 'computePodActions', 'NoSuchFunction'].map((name) => ({
            name,
          })),
        },
      );
      expect(breakpoints.map(({ verified }) => verified)).toEqual([true, true, true, false]);
      expect(breakpoints[3]?.message).toBe('this node has no point NoSuchFunction');
    });
    const stops: string[] = [];
    for (let seen = 0; stops.length < 4; ) {
      const { threadId, reason } = await client.event('stopped', undefined, seen);
      const { name, source } = await top(client, threadId);
      stops.push(`${String(reason)}: ${name} in ${source?.name}`);
      seen = client.events.length;
      await client.request('continue', { threadId });
    }
    expect(stops).toEqual([
      'function breakpoint: podWorkerLoop in pod-workers.ts',
      'function breakpoint: kubelet SyncPod in sync-pod.ts',
      'function breakpoint: kuberuntime SyncPod in sync-pod.ts',
      'function breakpoint: Compute sandbox and container changes in steps.ts',
    ]);
    await client.leave();
  });

  it('steps back through recorded events, shows their variables, and returns to the present', async () => {
    const client = await launch(pod(['sleep', '3600']), {}, (each) =>
      each.request('setFunctionBreakpoints', {
        breakpoints: [{ name: 'cri.RunPodSandbox' }, { name: 'cri.StartContainer' }],
      }),
    );
    const { threadId } = await client.event('stopped');
    const first = client.events.length;
    await client.request('continue', { threadId });
    await client.event('stopped', undefined, first);
    const live = await top(client, threadId);
    expect(live.name).toBe('StartContainer');

    let seen = client.events.length;
    const moved = async (command: string, args: object = {}): Promise<string> => {
      seen = client.events.length;
      await client.request(command, { threadId, ...args });
      const { reason, description } = await client.event('stopped', undefined, seen);
      return `${String(reason)}: ${String(description).replaceAll(/\d+/g, 'N')}`;
    };
    expect(await moved('stepBack')).toBe('step: In the past: before lifecycle.preStartContainer (event N)');
    expect(await moved('stepBack')).toBe('step: In the past: before cri.CreateContainer (event N)');
    const past = await top(client, threadId);
    expect([past.name, past.presentationHint]).toEqual(['CreateContainer (recorded)', 'subtle']);
    const { scopes } = await client.request<DebugProtocol.ScopesResponse>('scopes', { frameId: past.id });
    const { variables } = await client.request<DebugProtocol.VariablesResponse>('variables', {
      variablesReference: scopes[0]?.variablesReference,
    });
    expect(variables.map(({ name }) => name)).toContain('request');
    expect(scopes.map(({ name }) => name)).toEqual(['Arguments', 'CRI request', 'Pod', 'API status', 'Sync results']);
    const { result } = await client.request<DebugProtocol.EvaluateResponse>('evaluate', {
      frameId: past.id,
      expression: 'request.config.metadata.name',
    });
    expect(result).toBe('"app"');
    await expect(
      client.request('setVariable', { variablesReference: scopes[0]?.variablesReference, name: 'request', value: '1' }),
    ).rejects.toThrow('cannot be changed');

    expect(await moved('reverseContinue')).toBe('breakpoint: In the past: before cri.RunPodSandbox (event N)');
    expect(await moved('next')).toBe('step: In the past: after cri.RunPodSandbox (event N)');
    expect(await moved('stepBack', { granularity: 'instruction' })).toMatch(/^step: In the past: after /);
    expect(await moved('continue')).toBe(
      'function breakpoint: At the present again: Breakpoint N: before StartContainer',
    );
    expect((await top(client, threadId)).id).toBe(live.id);
    await client.request('next', { threadId });
    await client.leave();
  });

  it('keeps threads and breakpoints during a rerun that continues differently', async () => {
    const client = await launch(pod(['sleep', '3600']), { events: true }, (each) =>
      each.request('setFunctionBreakpoints', { breakpoints: [{ name: 'cri.StartContainer' }] }),
    );
    const { threadId } = await client.event('stopped');
    let seen = client.events.length;
    for (let steps = 0; steps < 2; steps++) {
      seen = client.events.length;
      await client.request('stepBack', { threadId });
      await client.event('stopped', undefined, seen);
    }
    const past = await top(client, threadId);
    expect(past.name).toBe('CreateContainer (recorded)');
    await client.request('setFunctionBreakpoints', {
      breakpoints: [{ name: 'cri.StartContainer' }, { name: 'cri.RemoveContainer' }],
    });
    seen = client.events.length;
    await expect(client.request('evaluate', { expression: '/rerun', context: 'repl' })).rejects.toThrow(
      'the number of an event',
    );
    await client.request('evaluate', { expression: '/rerun', context: 'repl', frameId: past.id });
    await client.event('continued', (body) => body['threadId'] === threadId, seen);
    await client.event('thread', (body) => body['reason'] === 'exited' && body['threadId'] === threadId, seen);
    await client.event('thread', (body) => body['reason'] === 'started' && body['threadId'] === threadId, seen);
    expect(client.console).toMatch(/Replayed to event \d+\. Time is paused/);
    const { threads } = await client.request<DebugProtocol.ThreadsResponse>('threads');
    expect(threads.map(({ id }) => id)).toContain(threadId);
    const again = await client.request('podscope', { command: 'debugState' });
    expect(again).toMatchObject({
      result: {
        stopped: [],
        breakpoints: [{ spec: { point: 'cri.StartContainer' } }, { spec: { point: 'cri.RemoveContainer' } }],
      },
    });
    seen = client.events.length;
    await client.request('evaluate', { expression: '/go', context: 'repl' });
    const stopped = await client.event('stopped', undefined, seen);
    expect(stopped['threadId']).toBe(threadId);
    await client.request('evaluate', {
      expression: '/fail Internal this time',
      context: 'repl',
      frameId: (await top(client, threadId)).id,
    });
    await client.event('output', ({ output }) => String(output).includes('this time'), seen);
    await client.leave();
  });

  it('stops on entry, injects a failure from the console, and reports the reason of the exception stop', async () => {
    const client = await launch(pod(['sleep', '3600']), { stopOnEntry: true }, (each) =>
      each.request('setExceptionBreakpoints', {
        filters: [],
        filterOptions: [{ filterId: 'anyError', condition: 'point == "cri.RunPodSandbox"' }],
      }),
    );
    const { threadId, reason } = await client.event('stopped');
    expect(reason).toBe('entry');
    await client.request('setFunctionBreakpoints', { breakpoints: [{ name: 'cri.RunPodSandbox once' }] });
    let seen = client.events.length;
    await client.request('continue', { threadId });
    await client.event('stopped', undefined, seen);
    seen = client.events.length;
    await client.request('evaluate', {
      expression: '/fail Unavailable no route',
      context: 'repl',
      frameId: (await top(client, threadId)).id,
    });
    expect(await client.event('stopped', undefined, seen)).toMatchObject({ reason: 'exception' });
    expect(await client.request('exceptionInfo', { threadId })).toMatchObject({
      exceptionId: 'Unavailable',
      description: expect.stringContaining('no route') as unknown,
    });
    await client.leave();
  });

  it('restarts on a new node with the same breakpoints', async () => {
    const client = await launch(pod(['sleep', '3600']), {}, (each) =>
      each.request('setFunctionBreakpoints', { breakpoints: [{ name: 'cri.CreateContainer' }] }),
    );
    await client.event('stopped');
    const seen = client.events.length;
    await client.request('restart');
    const { threadId } = await client.event('stopped', undefined, seen);
    expect((await top(client, threadId)).name).toBe('CreateContainer');
    await client.leave();
  });

  it('ends the pods with their exit codes when the client terminates', async () => {
    const client = await launch(pod(['sh', '-c', 'trap "exit 0" TERM; sleep 3600 & wait']));
    await client.event('output', ({ output }) => String(output).includes('container app 0 running'));
    await client.request('terminate');
    await client.event('terminated');
    // The node may end before the next relist, which would report the exit of the container.
    expect(client.console).toContain('status Running → Succeeded, not ready, app Completed(0)');
    await client.leave();
  });

  it('reports an error for an invalid manifest, an invalid request and requests in the wrong order', async () => {
    const client = await launch('kind: Pod\nspec: [');
    expect(await client.event('output', ({ category }) => category === 'stderr')).toMatchObject({
      output: expect.stringContaining('pod.yaml:') as unknown,
    });
    await client.event('terminated');
    await expect(client.request('stackTrace', { threadId: 99 })).rejects.toThrow('there is no thread 99');
    await expect(client.request('variables', { variablesReference: 'x' })).rejects.toThrow('variablesReference');
    await expect(client.request('disassemble')).rejects.toThrow('knows no request disassemble');
    await client.leave();

    const early = new DapClient();
    await expect(early.request('threads')).rejects.toThrow('launch or attach first');
    await expect(early.request('launch', { program: join(directory, 'none.yaml'), runtime: 'sim' })).rejects.toThrow(
      'does not exist',
    );
    await early.leave();
  });

  it('rejects a client without the token of the port', async () => {
    await writeFile(program, pod(['sleep', '1']));
    const client = new DapClient({ token: 'a-token-of-a-port' });
    await expect(client.request('launch', { program, runtime: 'sim', adapterToken: 'guessed' })).rejects.toThrow(
      'adapterToken',
    );
    await client.request('launch', { program, runtime: 'sim', adapterToken: 'a-token-of-a-port' });
    await client.leave();
  });
});

describe('the DAP framing', () => {
  it('assembles messages from chunks of one byte', () => {
    const bytes = Buffer.concat([frameMessage({ a: 'ü' }), frameMessage({ b: 2 })]);
    const reader = new MessageReader();
    expect([...bytes].flatMap((byte) => reader.push(Buffer.from([byte])))).toEqual([{ a: 'ü' }, { b: 2 }]);
  });

  it.each([
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}',
    'Content-Length: 2\r\nOrigin: http://x\r\n\r\n{}',
    'x'.repeat(300),
    'Content-Length: 3\r\n\r\n{a}',
  ])('rejects input that is not DAP: %j', (text) => {
    expect(() => new MessageReader().push(Buffer.from(text))).toThrow(FramingError);
  });
});
