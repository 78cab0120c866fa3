import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referenceDocuments } from '../docs/reference/reference-documents.ts';
import { findPointSources } from './point-sources.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

describe('what is generated', () => {
  it('has the lines at which the points stand now (else: npx -y pnpm@12 generate)', async () => {
    const { pointSources } = await import('../../packages/debugger/src/point-sources.generated.ts');
    expect(pointSources).toEqual(await findPointSources());
  });

  it.each([...referenceDocuments])('%s is what the code says (else: npx -y pnpm@12 generate)', async (path, make) => {
    expect(await read(path)).toBe(await make());
  });

  it('finds every step of the SyncPod functions and of RunPodSandbox in both releases', async () => {
    const { points } = await findPointSources();
    const flow = await import('../../packages/flow/src/index.ts');
    const steps = [
      flow.syncPodPoints,
      flow.syncPodPointsV120,
      flow.kubeletSyncPodPoints,
      flow.kubeletSyncPodPointsV120,
      flow.runPodSandboxPoints,
    ].flatMap((list) => Object.values(list));
    expect(steps.map(({ id }) => id).filter((id) => !points[id])).toEqual([]);
  });

  it('names lines that exist', async () => {
    const { points, decisions } = await findPointSources();
    for (const { path, line } of [...Object.values(points).flat(), ...Object.values(decisions)]) {
      expect((await read(path)).split('\n').length).toBeGreaterThanOrEqual(line);
    }
  });
});
