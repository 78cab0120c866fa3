/**
 * Measures the delivery of events to one tab, to twenty tabs, and to one that reconnects after missing ten thousand
 * events.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { RunningServer } from '@podscope/server/embed';
import { StreamClient } from './stream-client.ts';
import type { TabsRequest } from './stream-worker.ts';

const worker = resolve(import.meta.dirname, 'stream-worker.ts');

/** Appends events as a busy engine does: in bursts, with turns of the event loop between them. */
async function append({ nodeHost }: RunningServer, count: number): Promise<void> {
  const ctx = nodeHost.context('bench');
  for (let index = 0; index < count; index++) {
    ctx.tracer.emit(ctx, {
      type: 'decision',
      rule: 'bench.rule',
      facts: { index, container: 'app', state: 'running' },
      outcome: 'start',
      decisive: true,
    });
    if (index % 200 === 199) await new Promise((turn) => setImmediate(turn));
  }
}

/**
 * Returns the deliveries per second to tabs in another process.
 * @param tabs number of tabs
 */
export async function measureDeliveries(server: RunningServer, tabs: number, events: number): Promise<number> {
  const { log } = server.nodeHost;
  const child = fork(worker, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const { run } = server.nodeHost.nodeInfo();
  // The node may emit other events meanwhile, so the tabs wait for at least the appended events.
  const request: TabsRequest = {
    port: server.port,
    token: server.token,
    tabs,
    from: { run, after: log.lastSeq },
    until: log.lastSeq + events,
  };
  child.send(request);
  await once(child, 'message');
  const start = performance.now();
  const done = once(child, 'message');
  await append(server, events);
  await done;
  const seconds = (performance.now() - start) / 1_000;
  await once(child, 'exit');
  return (events * tabs) / seconds;
}

/**
 * Returns the milliseconds from reconnecting until a client has received the events it missed.
 * @throws Error if an event is lost or duplicated
 */
export async function measureReconnect(server: RunningServer, missed: number): Promise<number> {
  const { log } = server.nodeHost;
  const first = await StreamClient.connect(server, () => undefined);
  while (first.lastSeq < log.lastSeq) await new Promise((turn) => setTimeout(turn, 5));
  const from = { run: first.run, after: first.lastSeq };
  first.close();
  await append(server, missed);
  const last = log.lastSeq;
  const start = performance.now();
  const caughtUp = Promise.withResolvers<void>();
  const second = await StreamClient.connect(server, ({ seq }) => seq === last && caughtUp.resolve(), from);
  await caughtUp.promise;
  const milliseconds = performance.now() - start;
  if (second.received < missed) throw new Error(`${second.received} events came, not ${missed}`);
  second.close();
  return milliseconds;
}
