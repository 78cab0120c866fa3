/** Measures the latency of stops and steps over the WebSocket stream. */
import { setTimeout as delay } from 'node:timers/promises';
import type { RunningServer } from '@podscope/server/embed';
import { StreamClient } from './stream-client.ts';

const manifest = (name: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default' },
    spec: {
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'app', image: 'busybox:1.36', command: ['sleep', '3600'] }],
    },
  });

export interface Latencies {
  /** Milliseconds from a thread's stop until its event reaches the client. */
  readonly stop: readonly number[];
  /** Milliseconds from a step command until the event of the next stop, for kubelet steps without work of their own. */
  readonly step: readonly number[];
  /** Duration and number of spans of a sync that starts a pod. They show the share of tracing in the sync. */
  readonly sync: { readonly milliseconds: number; readonly spans: number };
}

/**
 * Steps pods through the kubelet's syncPod.
 * @param pods number of pods
 */
export async function measureLatencies(server: RunningServer, pods: number): Promise<Latencies> {
  const { clock, log } = server.nodeHost;
  const stop: number[] = [];
  const step: number[] = [];
  let onStop: ((thread: string) => void) | undefined;
  const client = await StreamClient.connect(server, (event) => {
    if (event.type !== 'stopped') return;
    stop.push(clock.now() - event.time);
    onStop?.(event.thread);
  });
  const nextStop = (): Promise<string> => new Promise((resolve) => (onStop = resolve));
  for (let index = 0; index < pods; index++) {
    const name = `bench-${index}`;
    const first = nextStop();
    await client.command({
      command: 'setBreakpoints',
      breakpoints: [{ point: 'kubelet.syncPod.generateAPIPodStatus', pod: name, oneShot: true }],
    });
    await client.command({ command: 'apply', manifest: manifest(name) });
    const thread = await first;
    for (let count = 0; count < 6; count++) {
      const next = nextStop();
      const start = performance.now();
      await client.command({ command: 'next', thread });
      await next;
      step.push(performance.now() - start);
    }
    await client.command({ command: 'continue', thread });
  }
  client.close();
  // A pod without breakpoints shows how long a sync takes.
  const before = log.lastSeq;
  await server.nodeHost.commands.apply(manifest('unwatched'));
  while (server.nodeHost.api.storage.get('Pod', 'default', 'unwatched')?.status?.phase !== 'Running') await delay(50);
  const events = log.after(before);
  const sync = events.find((event) => event.type === 'spanStarted' && event.point === 'kuberuntime.SyncPod');
  const end = events.find((event) => event.type === 'spanEnded' && event.span === sync?.span);
  const spans = events.filter(
    (event) =>
      event.type === 'spanStarted' &&
      event.thread === sync?.thread &&
      event.time >= (sync?.time ?? 0) &&
      event.time <= (end?.time ?? 0),
  );
  return { stop, step, sync: { milliseconds: (end?.time ?? 0) - (sync?.time ?? 0), spans: spans.length } };
}
