/**
 * Runs a recording node that its parent process kills at a random moment. The node has simulated pods in crash loops,
 * three clients and the real store. When an event message is sent to the first client, it is also written to stdout. On
 * Linux, a write to a pipe is complete when it returns, so the parent receives every sent message.
 */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { systemClock, type Transport } from '@podscope/node';
import { startTestNode } from '@podscope/node/testing';
import { protocolVersion } from '@podscope/protocol';
import { EventStore } from '../event-store.ts';
import { RunRecorder } from '../run-recorder.ts';

const [file = ''] = process.argv.slice(2);
const pods = 6;

const manifest = (name: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  containers:
  - {name: app, image: 'busybox:1.36', command: [sh, -c, 'sleep 1; exit 1']}
  - {name: side, image: 'busybox:1.36', command: [sleep, '5']}
`;

const store = EventStore.open({
  file,
  limits: { maxBytes: 1e12, maxAge: 1e15 },
  notify: (message) => process.stderr.write(`${message}\n`),
});
const clock = systemClock();
const test = await startTestNode({
  run: randomUUID(),
  pacing: clock,
  retainedEvents: 2_000,
  openArchive: (run) =>
    new RunRecorder({ store, run, clock, report: (message) => process.stderr.write(`${message}\n`) }),
});

const client = (send: (text: string) => void): void => {
  const transport: Transport = { bufferedAmount: 0, close: () => undefined, send };
  test.nodeHost.connect(transport).receive(JSON.stringify({ type: 'hello', protocol: protocolVersion }));
};
client((text) => process.stdout.write(`${text}\n`));
client(() => undefined);
client(() => undefined);

await test.apply(Array.from({ length: pods }, (_, index) => manifest(`web-${index}`)).join('---\n'));
for (;;) {
  await test.clock.advance(200);
  await setImmediate();
}
