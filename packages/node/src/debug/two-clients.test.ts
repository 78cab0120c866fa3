/** Tests the effects that the requests of one client of the debugger have on another client. */
import type { DebugState } from '@podscope/protocol';
import { expect, it } from 'vitest';
import { connectInProcess, startConversationNode } from '../testing/conversation-node.ts';

const manifest = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: app, image: busybox:1.36, command: [sleep, "3600"] }] }
`;

it('informs all clients at once of a pause before the next step, and of its cancellation by another', async () => {
  const node = await startConversationNode({});
  const [first, second] = [await connectInProcess(node), await connectInProcess(node)];
  await node.apply(manifest);
  await node.until(() => node.pod('web')?.status?.phase === 'Running');
  const thread = node.pod('web')?.metadata.uid ?? '';
  const stateOf = async (client: typeof first) => (await client.request({ command: 'debugState' })) as DebugState;
  const before = node.log.lastSeq;
  await first.request({ command: 'pause', thread });
  // The event makes each client request the state. Virtual time doesn't advance, so the pod takes no step.
  expect(node.log.lastSeq).toBe(before + 1);
  const paused = (await second.eventsUpTo(before + 1)).filter(({ seq }) => seq > before);
  expect(paused.map(({ type }) => type)).toEqual(['breakpointsChanged']);
  expect((await stateOf(second)).pausing).toEqual([thread]);
  await second.request({ command: 'continue', thread });
  expect(node.log.lastSeq).toBe(before + 2);
  const canceled = (await first.eventsUpTo(before + 2)).filter(({ seq }) => seq > before + 1);
  expect(canceled.map(({ type }) => type)).toEqual(['breakpointsChanged']);
  expect((await stateOf(first)).pausing).toEqual([]);
  await node.stop();
});
