/** Compares the engine in Chromium with recordings, one file at a time. engine-bundle.ts bundles this module. */
import {
  type BackoffVector,
  backoffDisagreements,
  type ComputeVector,
  computeDisagreements,
  type NodeRecording,
  type Release,
  type SyncVector,
  syncDisagreement,
} from '@podscope/kuberuntime/testing';

/** The number of cases in a file of vectors, and the ids of those where the engine's result differs from the vector. */
interface FileInPage {
  readonly cases: number;
  readonly differing: readonly string[];
}

async function* linesOf(url: string): AsyncGenerator<string> {
  const { body } = await fetch(url);
  if (!body) throw new Error(`${url} is empty`);
  const text = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).text();
  for (const line of text.split('\n')) if (line !== '') yield line;
}

async function judge(
  url: string,
  agrees: (line: string) => Promise<{ readonly id: string; readonly agrees: boolean }>,
): Promise<FileInPage> {
  const differing: string[] = [];
  let cases = 0;
  for await (const line of linesOf(url)) {
    cases += 1;
    const result = await agrees(line);
    if (!result.agrees) differing.push(result.id);
  }
  return { cases, differing };
}

/** Runs the cases of each file with the engine in this page. */
const engine = {
  compute: (release: Release): Promise<FileInPage> =>
    judge(`/compute-${release}.jsonl.gz`, (line) => {
      const vector = JSON.parse(line) as ComputeVector;
      return Promise.resolve({ id: vector.id, agrees: computeDisagreements(vector, release).length === 0 });
    }),
  async sync(release: Release): Promise<FileInPage> {
    const node = (await (await fetch(`/node-${release}.json`)).json()) as NodeRecording;
    return judge(`/sync-${release}.jsonl.gz`, async (line) => {
      const vector = JSON.parse(line) as SyncVector;
      return { id: vector.id, agrees: (await syncDisagreement(vector, release, node)) === undefined };
    });
  },
  backoff: (): Promise<FileInPage> =>
    judge('/backoff.jsonl.gz', (line) => {
      const vector = JSON.parse(line) as BackoffVector;
      return Promise.resolve({ id: vector.id, agrees: backoffDisagreements(vector).length === 0 });
    }),
};

/** The test calls these functions through this global. */
Object.assign(globalThis, { podscopeEngine: engine });

export type Engine = typeof engine;
