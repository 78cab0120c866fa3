/** Replays recordings of a genuine kubelet concurrently on Docker, as `pnpm twin apps/lab/recordings/v1.20` does. */
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DockerEngine } from '@podscope/dockershim/testing/docker-engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { compare } from './compare/compare.ts';
import { type ReferenceContainer, readReference } from './compare/reference.ts';
import { provideImages } from './images.ts';
import { findRecordings, lastAction, type Recording } from './recording.ts';
import { replay } from './run/replay.ts';

const directory = fileURLToPath(new URL('../../recordings/v1.20', import.meta.url));
/**
 * Duration in ms up to which recordings are included here; `pnpm twin` runs them all. The recordings run concurrently,
 * so they take no longer than the longest of them.
 */
const quick = 35_000;
/** Interval in ms between starts, because pods that start at the same moment would delay each other in the engine. */
const startInterval = 3000;

const { recordings } = await findRecordings(directory);
const chosen = recordings.filter((recording) => lastAction(recording) < quick);

describe('recordings of kubelet v1.20', () => {
  const engine = new DockerEngine();
  let reference: ReferenceContainer;

  const differences = async (recording: Recording): Promise<readonly string[]> =>
    compare(recording, await replay(recording, engine), reference, { isBusy: true });

  beforeAll(async () => {
    const release = await provideImages(engine, recordings);
    reference = await readReference(engine, 'busybox:1.36');
    return release;
  });

  /**
   * Results of the first run. A recording that differs is run again after the others: side by side, its pod may see
   * another order of exits and relists.
   */
  const first = new Map<Recording, readonly string[]>();

  it('replays all recordings concurrently', async () => {
    await Promise.all(
      chosen.map(async (recording, index) => {
        await delay(index * startInterval);
        first.set(recording, await differences(recording));
      }),
    );
    expect(first.size).toBe(chosen.length);
  });

  describe('compared', () => {
    it.each(chosen.map((recording) => [recording.name, recording] as const))(
      '%s: behaves as recorded',
      async (_name, recording) => {
        const earlier = first.get(recording);
        first.delete(recording);
        if (earlier?.length === 0) return;
        expect(await differences(recording), `alone; side by side: ${earlier?.join('; ')}`).toEqual([]);
      },
    );
  });
});
