/**
 * Recordings of a genuine kubelet, run again on Docker side by side, as `pnpm twin apps/cli/test/recordings/v1.20` does with all of them.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { compare } from './compare/compare.ts';
import { type ReferenceContainer, readReference } from './compare/reference.ts';
import { provideImages } from './images.ts';
import { findRecordings, lastAction, type Recording } from './recording.ts';
import { DockerEngine } from './run/docker-engine.ts';
import { replay } from './run/replay.ts';

const directory = fileURLToPath(new URL('../../test/recordings/v1.20', import.meta.url));
/** Longer ones are left out, in ms: `pnpm twin` runs them all. These take no longer side by side than the longest of them. */
const quick = 35_000;
/** Pods that start at the same moment would wait for the engine. Ms. */
const startInterval = 3000;

const { recordings } = await findRecordings(directory);
const chosen = recordings.filter((recording) => lastAction(recording) < quick);

describe('recordings of kubelet v1.20', () => {
  const engine = new DockerEngine();
  let reference: ReferenceContainer;

  beforeAll(async () => {
    const release = await provideImages(engine, recordings);
    reference = await readReference(engine, 'busybox:1.36');
    return release;
  });

  /** What differs the first time is run again when the others are done: a busy machine is slower than the recorded one. */
  const first = new Map<Recording, readonly string[]>();

  it('all run, side by side', async () => {
    await Promise.all(
      chosen.map(async (recording, index) => {
        await delay(index * startInterval);
        first.set(recording, await compare(recording, await replay(recording, engine), reference));
      }),
    );
    expect(first.size).toBe(chosen.length);
  });

  describe('compared', () => {
    it.each(chosen.map((recording) => [recording.name, recording] as const))('%s: the same happens here', { retry: 2 }, async (_name, recording) => {
      const earlier = first.get(recording);
      first.delete(recording);
      if (earlier?.length === 0) return;
      expect(await compare(recording, await replay(recording, engine), reference), `alone; side by side: ${earlier?.join('; ')}`).toEqual([]);
    });
  });
});
