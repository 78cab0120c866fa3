/** Tests that an observer forgets pods that were deleted, so that its memory stays flat on a node with many pods. */
import { expect, it } from 'vitest';
import { recordedSession, sessions } from '../testing/recordings.ts';
import { replay } from './replay.ts';

const minutes = (count: number): number => count * 60_000;

it.each(sessions)('forgets the deleted pods of session %s after ten minutes', async (id) => {
  const recording = recordedSession(id);
  const { observer } = await replay(recording);
  const end = recording.calls.at(-1)?.t ?? 0;
  const existing = new Set(observer.currentPods.map(({ metadata }) => metadata.uid));
  // Objects of some pods still exist at the end of a recording, because garbage collection hasn't removed them.
  observer.tick(end + minutes(9));
  const before = observer.rememberedPods;
  expect(before.size).toBeGreaterThanOrEqual(4);
  observer.tick(end + minutes(11));
  const after = observer.rememberedPods;
  expect(after.size).toBeLessThan(before.size);
  for (const uid of existing) expect(after).toContain(uid);
});

it('keeps the pods that exist', async () => {
  const recording = recordedSession('a');
  const cut = recording.startedAt + 50_000;
  const { observer } = await replay({
    ...recording,
    calls: recording.calls.filter(({ t, result }) => t < cut && (result?.end ?? t) < cut),
    pods: recording.pods.filter(({ t }) => t < cut),
    spans: recording.spans.filter(({ end }) => end < cut),
  });
  const existing = observer.currentPods.map(({ metadata }) => metadata.uid);
  expect(existing.length).toBeGreaterThan(3);
  observer.tick(cut + minutes(60));
  expect([...observer.rememberedPods]).toEqual(expect.arrayContaining(existing));
});
