/** The engine decides as the recorded kubelets did. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { computeDisagreements, type Release, syncDisagreement } from './testing/conformance.ts';
import type { NodeRecording } from './testing/recording-node.ts';
import { backoffDisagreements } from './testing/replay-backoff.ts';
import type { BackoffVector, ComputeVector, SyncVector } from './testing/vectors.ts';

const vectorFile = (name: string): URL => new URL(`../test/vectors/${name}`, import.meta.url);

const read = <T>(name: string): T[] =>
  gunzipSync(readFileSync(vectorFile(name)))
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);

const readNode = (release: Release): NodeRecording => JSON.parse(readFileSync(vectorFile(`node-${release}.json`), 'utf8')) as NodeRecording;

describe.each<Release>(['v1.20', 'v1.36'])('%s', (release) => {
  it('decides what to do as computePodActions did', () => {
    const vectors = read<ComputeVector>(`compute-${release}.jsonl.gz`);
    expect(vectors.length).toBeGreaterThan(1000);
    const differing = vectors.flatMap((vector) => {
      const disagreements = computeDisagreements(vector, release);
      return disagreements.length > 0 ? [{ id: vector.id, disagreements }] : [];
    });
    expect(differing).toEqual([]);
  });

  it('lives pods as SyncPod did, call by call', async () => {
    const vectors = read<SyncVector>(`sync-${release}.jsonl.gz`);
    expect(vectors.length).toBeGreaterThanOrEqual(400);
    const node = readNode(release);
    const differing: unknown[] = [];
    for (const vector of vectors) {
      const disagreement = await syncDisagreement(vector, release, node);
      if (disagreement) differing.push({ id: vector.id, ...disagreement });
    }
    expect(differing).toEqual([]);
  }, 60_000);
});

it('backs off as the recorded back-off did', () => {
  const vectors = read<BackoffVector>('backoff.jsonl.gz');
  expect(vectors.length).toBeGreaterThanOrEqual(200);
  const differing = vectors.flatMap((vector) => {
    const disagreements = backoffDisagreements(vector);
    return disagreements.length > 0 ? [{ id: vector.id, disagreements }] : [];
  });
  expect(differing).toEqual([]);
});
