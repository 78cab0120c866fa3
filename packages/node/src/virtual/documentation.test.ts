/** Runs every example in docs/use/simulator.md and compares its outcome with the text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSimulationDocument } from '@podscope/simulated-runtime';
import { summarizeStatus } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import { Simulation } from './simulation.ts';

const page = readFileSync(join(import.meta.dirname, '../../../../docs/use/simulator.md'), 'utf8');

let simulation: Simulation;

/** Applies a manifest to a new node that `document` configures, and advances the clock. */
async function play(manifest: string, seconds: number, document = ''): Promise<void> {
  const { settings, errors } = readSimulationDocument(document);
  expect(errors).toEqual([]);
  const { seed, ...simulator } = settings ?? {};
  simulation = new Simulation({ seed, simulator });
  await simulation.start();
  expect((await simulation.nodeHost.commands.apply(manifest)).errors).toEqual([]);
  await simulation.clock.advance(seconds * 1_000);
}

/** Returns the states of all pods' containers, for example `app running`. */
const states = (): string[] =>
  simulation.nodeHost.api.storage
    .list('Pod')
    .flatMap(({ status }) => [...summarizeStatus({ ...status }).containers])
    .map(([name, word]) => `${name} ${word}`);

const reasons = (): Set<string> =>
  new Set(
    simulation.nodeHost.log.after(0).flatMap((event) => (event.type === 'kubernetesEvent' ? [event.reason] : [])),
  );

const codes = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);

/** Returns the rows of the table whose first heading is `heading`. */
const rowsOf = (heading: string): string[][] => {
  const [, table = ''] = new RegExp(String.raw`^\| ${heading} .*\n\|[ -|]+\n((?:\|.*\n)+)`, 'm').exec(page) ?? [];
  return table
    .trim()
    .split('\n')
    .map((row) => row.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));
};

/**
 * The YAML blocks of the page. If a manifest follows a block without a pod, that block is the simulator's configuration
 * for the manifest.
 */
const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```\n(?:\nAfter (\d+) s: (.*)\.$)?/gm)].map(
  ([, yaml = '', seconds, outcome = '']) => ({
    yaml,
    seconds: Number(seconds),
    outcome,
  }),
);
const manifests = blocks.flatMap(({ yaml, seconds, outcome }, index) => {
  if (!yaml.includes('kind: Pod')) return [];
  const before = blocks[index - 1]?.yaml ?? '';
  const [containers = '', events = ''] = outcome.split('events');
  const name = /name: ([\w-]+)/.exec(yaml)?.[1] ?? '';
  return [
    {
      name,
      manifest: yaml,
      document: before.includes('kind: Pod') ? '' : before,
      seconds,
      containers: codes(containers),
      events: codes(events),
    },
  ];
});

const podOf = (script: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', annotations: { 'sim.podscope.dev/app': script } },
    spec: {
      restartPolicy: script.includes('attempt') ? 'Always' : 'Never',
      containers: [{ name: 'app', image: 'busybox:1.36' }],
    },
  });

const refusal = (script: string): string | undefined =>
  readSimulationDocument(JSON.stringify({ scripts: { app: script } })).errors[0]?.message;

describe('docs/use/simulator.md', () => {
  it('states the expected outcome of every manifest', () => {
    expect(manifests.length).toBeGreaterThanOrEqual(8);
    for (const { name, seconds, containers, events } of manifests)
      expect({ name, isJudged: seconds > 0 && containers.length + events.length > 0 }).toEqual({
        name,
        isJudged: true,
      });
  });

  it('explains every clause with a valid example', () => {
    const clauses = rowsOf('clause').flatMap(([clause = '']) => codes(clause));
    for (const clause of clauses)
      expect({ clause, refusal: refusal(clause.replace('…', 'run')) }).toEqual({ clause, refusal: undefined });
    const known = /clauses are (.*)$/.exec(refusal('explode') ?? '')?.[1]?.split(', ') ?? [];
    const explained = new Set(clauses.map((clause) => /^[a-z-]+/.exec(clause)?.[0]));
    expect(known.length).toBeGreaterThanOrEqual(13);
    expect(known.filter((head) => !explained.has(head))).toEqual([]);
  });
});

describe('the outcomes in docs/use/simulator.md', () => {
  afterEach(() => simulation.stop());

  it.each(manifests)('match the run of the pod $name', async ({ manifest, document, seconds, containers, events }) => {
    await play(manifest, seconds, document);
    expect(states()).toEqual(expect.arrayContaining(containers));
    expect([...reasons()]).toEqual(expect.arrayContaining(events));
  });

  it.each(rowsOf(String.raw`script +\| after`))(
    'match the script %s: after %s s %s',
    async (script = '', after = '', state = '') => {
      await play(podOf(codes(script)[0] ?? ''), Number.parseInt(after));
      expect(states()).toEqual(codes(state));
    },
  );

  it.each(rowsOf(String.raw`script +\| gone after`))(
    'match the end of the script %s: gone after %s',
    async (script = '', after = '') => {
      await play(podOf(codes(script)[0] ?? ''), 5);
      await simulation.nodeHost.commands.deletePod('default', 'web', 10);
      const seconds = Number.parseInt(after);
      await simulation.clock.advance(Math.max(0, seconds - 0.5) * 1_000);
      expect(states()).toHaveLength(1);
      await simulation.clock.advance(2_500);
      expect(states()).toEqual([]);
    },
  );
});
