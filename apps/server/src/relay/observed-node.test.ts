import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRecord } from '@podscope/base';
import { CriError, type ImageService, type RuntimeService } from '@podscope/cri';
import { connectCri, encodeCallMessage, type RemoteRuntime } from '@podscope/cri/grpc';
import { fakeServices, serveFake, testContext } from '@podscope/cri/testing/fake-runtime';
import type { Pod } from '@podscope/k8s';
import { debugResultSchemas } from '@podscope/protocol';
import { relayBefore } from '@podscope/relay/testing';
import {
  type DebuggerMessage,
  debuggerMessageSchema,
  encodeHead,
  FrameReader,
  protocolVersion,
  type RelayMessage,
} from '@podscope/relay-protocol';
import { withTimeout } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ObservedNode } from './observed-node.ts';

const responseSchema = z.object({ type: z.literal('response'), id: z.number(), result: z.unknown() });

const metadata = { name: 'web', uid: 'uid-1', namespace: 'default', attempt: 0 };
const labels = {
  'io.kubernetes.pod.name': 'web',
  'io.kubernetes.pod.uid': 'uid-1',
  'io.kubernetes.pod.namespace': 'default',
};
const waitOptions = { timeout: 120_000 };

let cleanups: (() => unknown)[];
let node: ObservedNode;
let kubelet: RemoteRuntime;
let notes: string[];
/** The id of the next container. */
let createdId: string;
const startContainer = vi.fn<RuntimeService['startContainer']>();
const execSync = vi.fn<RuntimeService['execSync']>();
const pullImage = vi.fn<ImageService['pullImage']>();

beforeEach(async () => {
  cleanups = [];
  notes = [];
  createdId = 'container-1';
  startContainer.mockReset().mockResolvedValue({});
  execSync.mockReset().mockResolvedValue({ stdout: Buffer.alloc(0), stderr: Buffer.alloc(0), exitCode: 0 });
  pullImage.mockReset().mockResolvedValue({ imageRef: 'sha256:1' });
  const runtime = await serveFake(
    fakeServices(
      {
        runPodSandbox: () => Promise.resolve({ podSandboxId: 'sandbox-1' }),
        createContainer: () => Promise.resolve({ containerId: createdId }),
        startContainer,
        execSync,
        listPodSandbox: () => Promise.resolve({ items: [] }),
        listContainers: () => Promise.resolve({ containers: [] }),
        status: () => Promise.resolve({ status: { conditions: [] }, info: {}, runtimeHandlers: [] }),
      },
      { pullImage, imageStatus: () => Promise.resolve({ image: undefined, info: {} }) },
    ),
  );
  cleanups.push(() => runtime.close());
  const relay = await relayBefore({ runtime: runtime.path });
  cleanups.push(() => relay.close());
  node = new ObservedNode({ control: relay.control, notify: (text) => notes.push(text) });
  cleanups.push(() => node.close());
  cleanups.push(node.debugger.attach());
  await vi.waitUntil(() => node.isConnected, waitOptions);
  kubelet = await connectCri(testContext(), relay.endpoint);
  cleanups.push(() => kubelet.close());
});

afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});

/**
 * Waits until the relay asks about calls. The relay processes messages in order, so when it has forwarded this
 * call, it knows the breakpoints.
 */
const armed = async (): Promise<void> => {
  await kubelet.runtime.status(testContext(), { verbose: false });
};

/** Makes the calls with which a pod starts, up to CreateContainer. */
async function createContainer(): Promise<void> {
  const config = { metadata, hostname: '', logDirectory: '', labels, annotations: {}, portMappings: [] };
  await kubelet.runtime.runPodSandbox(testContext(), { config, runtimeHandler: '' });
  await kubelet.runtime.createContainer(testContext(), {
    podSandboxId: 'sandbox-1',
    config: {
      metadata: { name: 'app', attempt: 2 },
      image: { image: 'busybox:1.36', annotations: {}, userSpecifiedImage: '', runtimeHandler: '' },
      command: [],
      args: [],
      workingDir: '',
      envs: [{ key: 'PASSWORD', value: 'tr0ub4dor&3' }],
      mounts: [],
      devices: [],
      labels: { ...labels, 'io.kubernetes.container.name': 'app' },
      annotations: {},
      logPath: '',
      stdin: false,
      stdinOnce: false,
      tty: false,
      CDIDevices: [],
      stopSignal: 'RUNTIME_DEFAULT',
    },
    sandboxConfig: config,
  } as never);
}

const start = (): Promise<unknown> => kubelet.runtime.startContainer(testContext(), { containerId: 'container-1' });

describe('breakpoints at the calls of a genuine kubelet', () => {
  it('hold a call of the pod, container and attempt until it is continued', async () => {
    node.debugger.setBreakpoints('', [
      { point: 'cri.StartContainer', pod: 'web', container: 'app', condition: 'attempt == 2' },
    ]);
    await createContainer();
    const started = start();
    await expect.poll(() => node.debugger.threads.stops().length, waitOptions).toBe(1);
    const [stop] = node.debugger.threads.stops();
    expect(stop?.boundary.ctx.pod).toMatchObject({ name: 'web' });
    expect(startContainer).not.toHaveBeenCalled();
    stop?.end({ how: 'continue' });
    await started;
    expect(startContainer).toHaveBeenCalledTimes(1);
  });

  it('hold the creation of a container by its name and attempt', async () => {
    node.debugger.setBreakpoints('', [{ point: 'cri.CreateContainer', container: 'app', condition: 'attempt == 2' }]);
    const created = createContainer();
    await expect.poll(() => node.debugger.threads.stops().length, waitOptions).toBe(1);
    node.debugger.threads.stops()[0]?.end({ how: 'continue' });
    await created;
  });

  it.each([
    ['a probe', 1],
    ['a hook', 0],
  ])('hold the command of %s in a container whose spec is unknown', async (_what, timeout) => {
    node.debugger.setBreakpoints('', [{ point: 'cri.ExecSync', pod: 'web' }]);
    await createContainer();
    const executed = kubelet.runtime.execSync(testContext(), { containerId: 'container-1', cmd: ['true'], timeout });
    await expect.poll(() => node.debugger.threads.stops().length, waitOptions).toBe(1);
    node.debugger.threads.stops()[0]?.end({ how: 'continue' });
    await executed;
  });

  it('at a probe hold no probe of another pod whose container has the same name', async () => {
    const probe = { exec: { command: ['true'] } };
    const podOf = (name: string) => ({
      metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
      spec: { containers: [{ name: 'app', image: 'busybox', livenessProbe: probe }] },
      status: {},
    });
    node.observer.pods({ t: Date.now(), pods: [podOf('one'), podOf('two')] as unknown as Pod[] });
    for (const name of ['one', 'two']) {
      const labels = {
        'io.kubernetes.pod.name': name,
        'io.kubernetes.pod.namespace': 'default',
        'io.kubernetes.pod.uid': `uid-of-${name}`,
      };
      const config = {
        metadata: { name, uid: `uid-of-${name}`, namespace: 'default', attempt: 0 },
        hostname: '',
        logDirectory: '',
        labels,
        annotations: {},
        portMappings: [],
      };
      createdId = `container-of-${name}`;
      await kubelet.runtime.createContainer(testContext(), {
        podSandboxId: `sandbox-of-${name}`,
        config: { metadata: { name: 'app', attempt: 0 }, image: { image: 'busybox' }, labels },
        sandboxConfig: config,
      } as never);
    }
    node.debugger.setBreakpoints('', [{ point: 'cri.ExecSync', pod: 'one' }]);
    await armed();
    const exec = (name: string) =>
      kubelet.runtime.execSync(testContext(), { containerId: `container-of-${name}`, cmd: ['true'], timeout: 1 });
    const first = exec('one');
    await expect.poll(() => node.debugger.threads.stops().length, waitOptions).toBe(1);
    await exec('two');
    node.debugger.threads.stops()[0]?.end({ how: 'continue' });
    await first;
  });

  it('let calls pass whose condition is false', async () => {
    node.debugger.setBreakpoints('', [{ point: 'cri.StartContainer', condition: 'attempt == 1' }]);
    await createContainer();
    await start();
    expect(node.debugger.threads.stops()).toEqual([]);
  });

  it('release the held call when the last client disconnects', async () => {
    node.debugger.setBreakpoints('', [{ point: 'cri.StartContainer' }]);
    await createContainer();
    const started = start();
    await expect.poll(() => node.debugger.threads.stops().length, waitOptions).toBe(1);
    node.debugger.releaseAll('disconnected');
    await started;
  });

  it('show when the hold ends by itself, before the deadline of the call', async () => {
    node.debugger.setBreakpoints('', [{ point: 'cri.StartContainer' }]);
    await createContainer();
    const began = Date.now();
    const started = start();
    await expect.poll(() => node.host.nodeInfo().holds, waitOptions).toHaveLength(1);
    const [hold] = node.host.nodeInfo().holds ?? [];
    const [stop] = node.debugger.threads.stops();
    expect(hold).toMatchObject({ span: stop?.boundary.span.id, method: 'StartContainer', waiting: [] });
    expect(hold?.endsAt).toBeGreaterThan(began);
    expect(hold?.endsAt).toBeLessThan(hold?.deadline ?? 0);
    stop?.end({ how: 'continue' });
    await started;
    await expect.poll(() => node.host.nodeInfo().holds, waitOptions).toEqual([]);
  });

  it('show the pulls of other pods that a held pull delays, unless the kubelet pulls in parallel', async () => {
    const image = (name: string) => ({ image: name, annotations: {}, userSpecifiedImage: '', runtimeHandler: '' });
    const pod = (name: string, waiting?: string) => ({
      metadata: { name, namespace: 'default', uid: `uid-of-${name}` },
      spec: { containers: [{ name: 'app', image: 'postgres' }] },
      status: { containerStatuses: waiting ? [{ name: 'app', state: { waiting: { reason: waiting } } }] : [] },
    });
    const pods = [pod('db'), pod('failing', 'ImagePullBackOff')] as unknown as Pod[];
    node.observer.pods({ t: Date.now(), pods });
    node.debugger.setBreakpoints('', [{ point: 'cri.PullImage' }]);
    await armed();
    const config = { metadata, hostname: '', logDirectory: '', labels, annotations: {}, portMappings: [] };
    const pull = { image: image('busybox:1.36'), sandboxConfig: config, auth: undefined };
    const pulled = kubelet.images.pullImage(testContext(), pull);
    await expect.poll(() => node.host.nodeInfo().holds?.[0]?.method, waitOptions).toBe('PullImage');
    await kubelet.images.imageStatus(testContext(), { image: image('postgres:latest'), verbose: false });
    const waiting = () => node.host.nodeInfo().holds?.[0]?.waiting;
    await expect
      .poll(waiting, waitOptions)
      .toEqual([{ reason: 'imagePull', namespace: 'default', pod: 'db', what: 'postgres' }]);
    node.observer.learn({ serializeImagePulls: false });
    expect(waiting()).toEqual([]);
    node.debugger.threads.stops()[0]?.end({ how: 'continue' });
    await pulled;
  });

  it('are refused with the reason at calls that affect the whole node', () => {
    const [breakpoint] = node.debugger.setBreakpoints('', [{ point: 'cri.ListContainers' }]);
    expect(breakpoint?.state()).toMatchObject({ verified: false });
    expect(breakpoint?.state().message).toContain('affects the whole node');
  });

  it('after a call report its response without holding the call', async () => {
    node.debugger.setBreakpoints('', [
      { point: 'cri.CreateContainer', when: 'after', condition: "result.containerId == 'container-1'" },
    ]);
    await createContainer();
    await expect.poll(() => node.log.after(0).map(({ type }) => type), waitOptions).toContain('continued');
    expect(node.log.after(0).map(({ type }) => type)).toContain('stopped');
  });
});

describe('faults at the calls of a genuine kubelet', () => {
  it('fail a call before the runtime sees it', async () => {
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', fail: { grpc: 'ResourceExhausted', message: 'full' } }]);
    await createContainer();
    await expect(start()).rejects.toMatchObject({ code: 'ResourceExhausted', message: 'full' });
    expect(startContainer).not.toHaveBeenCalled();
  });

  it('lose the response of a call that succeeded', async () => {
    const fail = { grpc: 'Aborted', message: 'lost' } as const;
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', when: 'after', fail }]);
    await createContainer();
    await expect(start()).rejects.toMatchObject({ code: 'Aborted', message: 'lost' });
    expect(startContainer).toHaveBeenCalledTimes(1);
  });

  it('cut the stream of a call', async () => {
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', cut: 0 }]);
    await createContainer();
    await expect(start()).rejects.toMatchObject({ code: 'Internal' });
    expect(startContainer).toHaveBeenCalledTimes(1);
  });

  it('delay a call, which the runtime then gets', async () => {
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', delay: '200ms' }]);
    await createContainer();
    const began = performance.now();
    await start();
    expect(performance.now() - began).toBeGreaterThanOrEqual(190);
    expect(startContainer).toHaveBeenCalledTimes(1);
  });

  it('let a call hang until its deadline, and the runtime never gets it', async () => {
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', hang: true }]);
    await createContainer();
    const started = withTimeout(testContext(), 1_500, (ctx) =>
      kubelet.runtime.startContainer(ctx, { containerId: 'container-1' }),
    );
    await expect(started).rejects.toMatchObject({ name: 'DeadlineExceededError' });
    await expect.poll(() => node.debugger.state().held, waitOptions).toEqual([]);
    expect(startContainer).not.toHaveBeenCalled();
  });

  it('let a call hang until it is released, and the runtime then gets it', async () => {
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', hang: true }]);
    await createContainer();
    const started = start();
    await expect.poll(() => node.debugger.state().held.length, waitOptions).toBe(1);
    expect(startContainer).not.toHaveBeenCalled();
    node.debugger.runner.release();
    await started;
    expect(startContainer).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['pod', { pod: 'other*' }, { pod: 'we*' }],
    ['container', { container: 'side' }, { container: 'app' }],
    ['image', { condition: "image == 'redis:7'" }, { condition: "image == 'busybox:1.36'" }],
    ['attempt', { condition: 'attempt == 1' }, { condition: 'attempt == 2' }],
  ])('apply to the calls of one %s only', async (_what, other, own) => {
    const fail = { grpc: 'Aborted', message: 'no' } as const;
    node.debugger.setFaults('', [{ at: 'cri.CreateContainer', ...other, fail }]);
    await createContainer();
    node.debugger.setFaults('', [{ at: 'cri.CreateContainer', ...own, fail }]);
    await armed();
    await expect(createContainer()).rejects.toMatchObject({ code: 'Aborted' });
  });

  it('let a call hang until the fault expires, and the runtime then gets it', async () => {
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', hang: true, expires: '2s' }]);
    await createContainer();
    await start();
    expect(startContainer).toHaveBeenCalledTimes(1);
    expect(node.debugger.state().held).toEqual([]);
  });

  it('of a fault plan apply until the plan is disabled', async () => {
    const { errors } = node.debugger.setFaultPlan(
      `name: flaky-runtime
faults:
  - at: cri.CreateContainer
    pod: we*
    times: 1
    fail: { grpc: ResourceExhausted, message: no space left }
  - at: cri.StartContainer
    when: after
    expires: 5m
    fail: { grpc: Unavailable, message: connection lost }
`,
    );
    expect(errors).toEqual([]);
    await armed();
    await expect(createContainer()).rejects.toMatchObject({ code: 'ResourceExhausted', message: 'no space left' });
    await createContainer();
    await expect(start()).rejects.toMatchObject({ code: 'Unavailable' });
    node.debugger.enableFaultPlan('flaky-runtime', false);
    await armed();
    await start();
    expect(startContainer).toHaveBeenCalledTimes(2);
  });

  it('apply to the same share of calls with the same seed', async () => {
    const outcomes = async (): Promise<string> => {
      const fail = { grpc: 'Aborted', message: 'no' } as const;
      node.debugger.setFaults('', [{ at: 'cri.StartContainer', probability: 0.5, seed: 7, fail }]);
      await armed();
      let text = '';
      for (let call = 0; call < 12; call += 1)
        text += await start().then(
          () => '.',
          () => 'x',
        );
      return text;
    };
    await createContainer();
    const first = await outcomes();
    expect(first).toMatch(/x/);
    expect(first).toMatch(/\./);
    expect(await outcomes()).toBe(first);
  });

  it('expire', async () => {
    const fail = { grpc: 'Aborted', message: 'no' } as const;
    node.debugger.setFaults('', [{ at: 'cri.StartContainer', expires: '1ms', fail }]);
    await createContainer();
    await start();
    expect(node.debugger.state().faults).toMatchObject([{ applied: 0, message: 'the fault has expired' }]);
  });
});

describe('a relay', () => {
  /** Starts a control server in place of the relay's. Returns its path. @param served gets each connection */
  async function controlServer(
    served: (send: (message: RelayMessage, bytes?: Uint8Array) => void, socket: Socket) => void,
  ) {
    const directory = await mkdtemp(join(tmpdir(), 'control-'));
    cleanups.push(() => rm(directory, { recursive: true, force: true }));
    const path = join(directory, 'relay.sock');
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      served((message, bytes = new Uint8Array(0)) => {
        socket.write(encodeHead(message, bytes.length));
        socket.write(bytes);
      }, socket);
    });
    await new Promise<void>((resolve) => {
      server.listen(path, resolve);
    });
    cleanups.push(() => server.close());
    return path;
  }
  const hello = {
    type: 'hello',
    protocol: protocolVersion,
    version: 'test',
    pid: 1,
    startedAt: 0,
    now: 0,
    listen: '/cri.sock',
    runtime: '/runtime.sock',
  } as const;

  it('is the same process if pid and start are, and another one otherwise', async () => {
    const starts = [0, 0, 5];
    const path = await controlServer((send, socket) => {
      send({ ...hello, startedAt: starts.shift() ?? 5 });
      // Ends the connection after the debugger's first message.
      socket.once('data', () => socket.destroy());
    });
    const second = new ObservedNode({ control: path, notify: () => undefined });
    cleanups.push(() => second.close());
    const resumed = vi.spyOn(second.observer, 'resumed');
    await vi.waitUntil(() => resumed.mock.calls.length >= 3, waitOptions);
    const [first, again, successor] = resumed.mock.calls.map(([, relay]) => relay);
    expect(again).toBe(first);
    expect(successor).not.toBe(first);
  });

  /** Sends a call as the relay does, and asks about it. */
  function openCall(send: (message: RelayMessage, bytes?: Uint8Array) => void): void {
    send({
      type: 'callOpened',
      call: 1,
      connection: 1,
      time: 1,
      origin: 'client',
      endpoint: 'runtime',
      path: '/runtime.v1.RuntimeService/RunPodSandbox',
      authority: 'localhost',
      metadata: [],
      deadline: null,
      inFlight: false,
    });
    const request = encodeCallMessage('RunPodSandbox', 'request', { config: { metadata, labels } });
    send({ type: 'request', call: 1, time: 1, compressed: false }, request);
    send({ type: 'question', call: 1, time: 1, phase: 'before', withinMs: 250 });
    send({ type: 'forwarded', call: 1, time: 1 });
  }

  it('that receives an answer too late ends the stop, and the page is told', async () => {
    const answers: DebuggerMessage[] = [];
    const path = await controlServer((send, socket) => {
      const reader = new FrameReader();
      let isOpen = false;
      socket.on('data', (chunk) => {
        for (const { message } of reader.push(chunk)) {
          const { data } = debuggerMessageSchema.safeParse(message);
          if (data?.type === 'answer') {
            answers.push(data);
            send({ type: 'refused', call: 1, time: 1, reason: 'late' });
          } else if (data?.type === 'ask' && data.methods.length > 0 && !isOpen) {
            isOpen = true;
            openCall(send);
          }
        }
      });
      send(hello);
    });
    const late = new ObservedNode({ control: path, notify: () => undefined });
    cleanups.push(() => late.close());
    cleanups.push(late.debugger.attach());
    late.debugger.setBreakpoints('', [{ point: 'cri.RunPodSandbox' }]);
    await expect.poll(() => answers, waitOptions).toMatchObject([{ answer: { kind: 'hold' } }]);
    await expect.poll(() => late.debugger.threads.stops(), waitOptions).toEqual([]);
    const warnings = late.log.after(0).flatMap((event) => (event.type === 'output' ? [event.message] : []));
    const warning = 'RunPodSandbox of pod web was forwarded without its stop: this server answered too late.';
    expect(warnings).toEqual([warning]);
  });

  it('whose connection ends with the server is not reported as one that ended', async () => {
    const path = await controlServer((send) => send(hello));
    const messages: string[] = [];
    const second = new ObservedNode({ control: path, notify: (text) => messages.push(text) });
    await expect.poll(() => second.isConnected, waitOptions).toBe(true);
    await second.close();
    await expect.poll(() => second.isConnected, waitOptions).toBe(false);
    expect(messages).toEqual([expect.stringMatching(/^observing /)]);
  });

  it('that has another debugger is reported once', async () => {
    let connections = 0;
    const path = await controlServer((send) => {
      connections += 1;
      send({ ...hello, hasDebugger: true });
    });
    const messages: string[] = [];
    const second = new ObservedNode({ control: path, notify: (text) => messages.push(text) });
    cleanups.push(() => second.close());
    await expect.poll(() => connections, waitOptions).toBeGreaterThan(2);
    expect(messages).toEqual(['another debugger is connected to the relay']);
    expect(second.isConnected).toBe(false);
  });
});

describe('secrets', () => {
  const texts = (): string => JSON.stringify([node.log.after(0), node.host.nodeInfo()]);

  it('in environment variables are masked before they reach the log', async () => {
    await createContainer();
    await start();
    await expect.poll(texts, waitOptions).toContain('cri.StartContainer');
    expect(texts()).not.toContain('tr0ub4dor');
  });

  it('in environment variables are masked in what commands print and in errors of their pod', async () => {
    await createContainer();
    execSync.mockResolvedValueOnce({
      stdout: Buffer.from('PASSWORD=tr0ub4dor&3\n'),
      stderr: Buffer.alloc(0),
      exitCode: 0,
    });
    await kubelet.runtime.execSync(testContext(), { containerId: 'container-1', cmd: ['env'], timeout: 1 });
    startContainer.mockRejectedValueOnce(new CriError('Unknown', 'exec: "tr0ub4dor&3": executable file not found'));
    await expect(start()).rejects.toThrow('tr0ub4dor');
    await expect.poll(texts, waitOptions).toContain('executable file not found');
    const printed = node.log.after(0).flatMap((event) => {
      const response = event.type === 'spanEnded' ? event.attributes?.['response'] : undefined;
      const stdout = isRecord(response) ? response['stdout'] : undefined;
      return stdout instanceof Uint8Array ? [new TextDecoder().decode(stdout)] : [];
    });
    expect(printed).toEqual(['PASSWORD=<redacted>\n']);
    expect(texts()).not.toContain('tr0ub4dor');
  });

  it("at a stop are masked, and the call's other values can be read", async () => {
    node.debugger.setBreakpoints('', [{ point: 'cri.CreateContainer' }]);
    await armed();
    const received: unknown[] = [];
    const session = node.connect({
      send: (text) => received.push(JSON.parse(text)),
      bufferedAmount: 0,
      close: () => undefined,
    });
    session.receive(JSON.stringify({ type: 'hello', protocol: 1 }));
    const created = createContainer();
    await expect.poll(() => node.debugger.threads.stops().length, waitOptions).toBe(1);
    const [stop] = node.debugger.threads.stops();
    const thread = stop?.boundary.ctx.thread ?? '';
    let id = 0;
    /** Returns the result of a command in the form in which clients receive it. */
    const result = async (body: object): Promise<unknown> => {
      session.receive(JSON.stringify({ type: 'command', id: ++id, body }));
      const answer = () =>
        received.map((message) => responseSchema.safeParse(message).data).find((it) => it?.id === id);
      return (await vi.waitUntil(answer, waitOptions))?.result;
    };
    const { scopes } = debugResultSchemas.scopes.parse(await result({ command: 'scopes', thread }));
    const variables = async (variablesReference: number | undefined) => {
      const page = debugResultSchemas.variables.parse(await result({ command: 'variables', variablesReference }));
      return new Map(page.variables.map((each) => [each.name, each]));
    };
    const given = await variables(scopes[0]?.variablesReference);
    expect(given.get('request')?.value).toContain('"sandbox-1"');
    expect(given.get('call')?.value).toMatch(/^\d+$/);
    const request = await variables(given.get('request')?.variablesReference);
    const config = await variables(request.get('config')?.variablesReference);
    const envs = await variables(config.get('envs')?.variablesReference);
    expect(envs.get('0')?.value).toBe('{key: "PASSWORD", value: "••••••"}');
    const image = await result({ command: 'evaluate', thread, expression: 'request.config.image.image' });
    expect(image).toMatchObject({ value: '"busybox:1.36"' });
    expect(JSON.stringify(received)).not.toContain('tr0ub4dor');
    stop?.end({ how: 'continue' });
    await created;
  });

  it("in a pull's credentials are masked in the log and at stops, and the runtime gets them", async () => {
    const auth = {
      username: 'jane',
      password: 'tr0ub4dor&3',
      auth: 'amFuZTp0cjB1YjRkb3I',
      serverAddress: 'registry.example.com',
      identityToken: 'identity-8f3a',
      registryToken: 'registry-77c1',
    };
    const image = { image: 'registry.example.com/app:1', annotations: {}, userSpecifiedImage: '', runtimeHandler: '' };
    const sandboxConfig = { metadata, hostname: '', logDirectory: '', labels, annotations: {}, portMappings: [] };
    node.debugger.setBreakpoints('', [{ point: 'cri.PullImage' }]);
    await armed();
    const pulled = kubelet.images.pullImage(testContext(), { image, auth, sandboxConfig });
    await expect.poll(() => node.debugger.threads.stops().length, waitOptions).toBe(1);
    const [stop] = node.debugger.threads.stops();
    const stopped = JSON.stringify(stop?.boundary.ctx.span);
    expect(stopped).toContain('<redacted>');
    expect(stopped).not.toMatch(/tr0ub4dor|amFuZ|identity-8|registry-7/);
    stop?.end({ how: 'continue' });
    await pulled;
    expect(pullImage.mock.calls[0]?.[1]).toMatchObject({ auth });
    await expect.poll(texts, waitOptions).toContain('registry.example.com/app:1');
    await expect.poll(texts, waitOptions).toContain('<redacted>');
    expect(texts()).not.toMatch(/tr0ub4dor|amFuZ|identity-8|registry-7/);
  });
});
