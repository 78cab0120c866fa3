import type { Command, DebugState } from '@podscope/protocol';
import { toJson, VirtualClock } from '@podscope/trace';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SimulationHost } from './simulation-host.ts';

const web = `
apiVersion: v1
kind: Pod
metadata: { name: web, annotations: { sim.podscope.dev/app: 'exit=1 after=3s~2s' } }
spec:
  containers: [{ name: app, image: nginx:1.27 }]
`;

const hosts: SimulationHost[] = [];

async function begin(): Promise<{
  readonly host: SimulationHost;
  readonly real: VirtualClock;
  readonly events: () => readonly string[];
}> {
  const real = new VirtualClock();
  const host = new SimulationHost({ real, run: 'run', paused: true, simulation: { seed: 5 } });
  hosts.push(host);
  await host.start();
  return { host, real, events: () => host.simulation.nodeHost.log.after(0).map((event) => toJson(event)) };
}

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.stop();
});

describe('a simulation with clients', () => {
  it('rerun repeats the same events up to an event and pauses there', async () => {
    const { host, events } = await begin();
    await host.time.step(1_000);
    await host.perform({ command: 'apply', manifest: web });
    await host.time.step(60_000);
    await host.perform({ command: 'deletePod', namespace: 'default', name: 'web' });
    await host.time.step(30_000);
    const first = events();
    const seq = Math.floor(first.length * 0.6);

    await host.rerun({ seq });
    expect(host.simulation.nodeHost.nodeInfo().run).toBe('run-2');
    expect(events().slice(0, seq)).toEqual(first.slice(0, seq));
    expect(host.time.state.paused).toBe(true);
    expect(host.inputs).toMatchObject([{ command: { command: 'apply' } }]);
    // In the first run the pod was deleted; in this one it continues.
    await host.time.step(120_000);
    expect(host.simulation.nodeHost.api.storage.get('Pod', 'default', 'web')).toBeDefined();
  });

  it('rerun repeats stops, steps and interventions, and the user can continue differently', async () => {
    const { host, events } = await begin();
    const transport = { send: () => undefined, bufferedAmount: 0, close: () => undefined };
    const session = host.connect(transport);
    const stop = (): DebugState['stopped'][number] | undefined => host.simulation.nodeHost.debugger.state().stopped[0];
    await host.perform({
      command: 'setBreakpoints',
      breakpoints: [{ point: 'syncPod.startContainers' }, { point: 'cri.StartContainer' }],
    });
    await host.perform({ command: 'apply', manifest: web });
    await host.time.step(20_000);
    // The pod is stopped, and the test changes a value. The reference to the value is valid only in this simulation: in
    // the next one, it may refer to another value.
    const thread = stop()?.thread ?? '';
    const { scopes } = (await host.perform({ command: 'scopes', thread })) as {
      scopes: readonly { name: string; variablesReference: number }[];
    };
    const variablesReference = scopes.find(({ name }) => name === 'podActions')?.variablesReference ?? 0;
    await host.perform({ command: 'setVariable', variablesReference, name: 'containersToStart', value: [] });
    await host.perform({ command: 'continue', thread });
    await host.time.step(90_000);
    expect(stop()?.point).toBe('syncPod.startContainers');
    await host.perform({ command: 'next', thread });
    await host.time.step(20_000);
    const seq = host.simulation.nodeHost.log.lastSeq;
    expect(stop()?.point).toBe('cri.StartContainer');
    const before = events();
    await host.perform({
      command: 'intervene',
      thread,
      action: { fail: { grpc: 'Internal', message: 'the first time' } },
    });
    await host.time.step(5_000);
    expect(events().join()).toContain('the first time');
    session.closed();

    const change: Command = {
      command: 'setFaults',
      faults: [{ at: 'cri.StartContainer', times: 1, fail: { grpc: 'Internal', message: 'this time' } }],
    };
    await host.rerun({ seq, changes: [change] });
    expect(events().slice(0, seq)).toEqual(before);
    // The repeated run stops at the same place, although no client is connected yet.
    expect(stop()).toMatchObject({ thread, point: 'cri.StartContainer' });
    const again = host.connect(transport);
    await host.perform({ command: 'continue', thread });
    await host.time.step(5_000);
    expect(events().join()).not.toContain('the first time');
    expect(events().join()).toContain('this time');
    again.closed();
    await host.time.step(1_000);
    expect(host.simulation.nodeHost.debugger.attached).toBe(false);
  });

  it('rerun repeats changes of kubectl and files, and dry runs don’t change it', async () => {
    const { host, events } = await begin();
    const named = (name: string): string => web.replace('name: web', `name: ${name}`);
    await host.perform({ command: 'apply', manifest: named('first') });
    await host.time.step(10_000);
    await host.perform({ command: 'validate', manifest: named('tried') });
    await host.simulation.nodeHost.change(({ api: { registry } }) =>
      registry.delete('Pod', 'default', 'first', { gracePeriodSeconds: 0 }),
    );
    await host.time.step(10_000);
    await host.perform({ command: 'apply', manifest: named('second') });
    await host.time.step(20_000);
    const first = events();

    await host.rerun({ seq: first.length });
    expect(events()).toEqual(first);
    expect(first.join()).toContain('second');
    expect(host.inputs.map((input) => ('command' in input ? input.command.command : 'change'))).toEqual([
      'apply',
      'change',
      'apply',
    ]);
  });

  it('accepts clients when the rerun has reached the event', async () => {
    const { host, real } = await begin();
    await host.time.step(5_000);
    const { lastSeq } = host.simulation.nodeHost.log;
    expect(await host.perform({ command: 'rerun', seq: lastSeq })).toEqual({ run: 'run-2' });
    const ready = vi.fn<() => void>();
    void host.ready.then(ready);
    await real.settle();
    expect(ready).not.toHaveBeenCalled();
    for (let turn = 0; turn < 20 && ready.mock.calls.length === 0; turn++) await real.advance(20);
    expect(host.simulation.nodeHost.nodeInfo().run).toBe('run-2');
    expect(host.simulation.nodeHost.log.lastSeq).toBe(lastSeq);
  });

  it('stepTime stops at the next change of a pod or at the limit, not at spans and decisions', async () => {
    const { host } = await begin();
    await host.perform({ command: 'apply', manifest: web });
    const step = async (milliseconds?: number): Promise<string | undefined> => {
      const before = host.simulation.nodeHost.log.lastSeq;
      await host.perform({ command: 'stepTime', toNextChange: true, milliseconds });
      return host.simulation.nodeHost.log.after(before).findLast(({ pod }) => pod !== undefined)?.type;
    };
    const types = [];
    for (let count = 0; count < 5; count++) types.push(await step());
    expect(types).not.toContain(undefined);
    expect(types.filter((type) => type === 'decision')).toEqual([]);
    const { now } = host.time.state;
    await host.time.step(30_000);
    await host.perform({ command: 'stepTime', toNextChange: true, milliseconds: 7 });
    expect(host.time.state.now - now).toBeLessThanOrEqual(30_007);
    await expect(
      host.perform({ command: 'stepTime', toNextChange: true, toNextEvent: true, milliseconds: 7 }),
    ).rejects.toThrow('either milliseconds, toNextEvent or toNextChange');
  });

  it('rejects a rerun up to an event that hasn’t happened', async () => {
    const { host } = await begin();
    await expect(host.perform({ command: 'rerun', seq: 1_000_000 })).rejects.toThrow(/has only \d+ events yet/);
  });

  it('sends changes of the speed to clients and disconnects them at a rerun', async () => {
    const { host, real } = await begin();
    const received: { readonly type: string; readonly [key: string]: unknown }[] = [];
    const closed: string[] = [];
    const session = host.connect({
      send: (text) => received.push(JSON.parse(text) as (typeof received)[number]),
      bufferedAmount: 0,
      close: (_code, reason) => {
        closed.push(reason);
      },
    });
    session.receive(JSON.stringify({ type: 'hello', protocol: 1 }));
    expect(received[0]).toMatchObject({ type: 'welcome', time: { speed: 1, paused: true } });
    session.receive(JSON.stringify({ type: 'command', id: 1, body: { command: 'setTime', speed: 100 } }));
    await real.advance(20);
    expect(received).toContainEqual(
      expect.objectContaining({ type: 'time', time: expect.objectContaining({ speed: 100 }) as unknown }),
    );
    session.receive(JSON.stringify({ type: 'command', id: 2, body: { command: 'stepTime', toNextEvent: true } }));
    session.receive(JSON.stringify({ type: 'command', id: 3, body: { command: 'rerun', seq: 0 } }));
    for (let turn = 0; turn < 20 && closed.length === 0; turn++) await real.advance(20);
    expect(closed).toEqual(['The run starts again.']);
    await host.ready;
    const { repeats, run } = host.simulation.nodeHost.nodeInfo();
    expect(received.at(-1)).toEqual({ type: 'bye', reason: 'The run starts again.', next: run });
    expect(repeats).toEqual({
      run: (received[0] as unknown as { readonly node: { readonly run: string } }).node.run,
      seq: 0,
    });
    expect(received.some(({ type, id }) => type === 'response' && id === 3)).toBe(true);
  });
});
