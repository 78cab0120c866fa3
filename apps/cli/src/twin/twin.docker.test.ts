/** Recordings of a genuine kubelet, run again on Docker. The long ones (crash loop, failing pulls) are for `pnpm twin apps/cli/test/recordings/v1.20`. */
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { compare } from './compare/compare.ts';
import { type ReferenceContainer, readReference } from './compare/reference.ts';
import { provideImages } from './images.ts';
import { findRecordings, type Recording } from './recording.ts';
import { DockerEngine } from './run/docker-engine.ts';
import { replay } from './run/replay.ts';

const directory = fileURLToPath(new URL('../../test/recordings/v1.20', import.meta.url));
const quick = ['01-happy-one', '08-never-failure', '25-env-downward', '29-kill-sandbox', '32-edit-in-place', '35-remove-with-volume'];

describe('recordings of kubelet v1.20', () => {
  const engine = new DockerEngine();
  let recordings: readonly Recording[];
  let reference: ReferenceContainer;

  beforeAll(async () => {
    ({ recordings } = await findRecordings(directory));
    const release = await provideImages(engine, recordings);
    reference = await readReference(engine, 'busybox:1.36');
    return release;
  });

  it.each(quick)('%s: the same happens here', { retry: 1 }, async (name) => {
    const recording = recordings.find((candidate) => candidate.name === name);
    if (!recording) throw new Error(`there is no recording ${name}`);
    expect(await compare(recording, await replay(recording, engine), reference)).toEqual([]);
  });
});
