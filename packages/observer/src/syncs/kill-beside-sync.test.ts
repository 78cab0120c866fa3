/**
 * Tests that the calls of a kill aren't assigned to a sync of the same pod that runs in parallel, as in v1.20. Uses
 * recorded calls of a genuine kubelet.
 */
import { readFileSync } from 'node:fs';
import { readCallMessage } from '@podscope/cri/grpc';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { readRecording } from '../recording/recording.ts';
import { replay } from '../recording/replay.ts';

const document = z
  .object({ calls: z.array(z.unknown()), pods: z.unknown(), actions: z.unknown() })
  .parse(JSON.parse(readFileSync(new URL('../testing/kill-beside-sync.json', import.meta.url), 'utf8')));

it('assigns StopPodSandbox of a deleted pod to the kill, not to the sync that starts a container', async () => {
  const recording = readRecording(
    {
      calls: document.calls.map((call) => JSON.stringify(call)).join('\n'),
      pods: JSON.stringify(document.pods),
      actions: JSON.stringify(document.actions),
    },
    readCallMessage,
  );
  const { syncs } = await replay(recording);
  const rows = syncs.map(({ calls, judged }) => ({
    writes: calls.map(({ method }) => method).filter((method) => /^(Run|Create|Start|Stop)/.test(method)),
    kind: judged.kind,
    verdict: judged.verdict,
  }));
  expect(rows).toEqual([
    { writes: ['RunPodSandbox', 'CreateContainer', 'StartContainer'], kind: 'sync', verdict: 'agrees' },
    { writes: ['StopPodSandbox'], kind: 'terminating', verdict: 'agrees' },
  ]);
});
