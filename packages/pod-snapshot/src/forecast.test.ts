/**
 * Compares forecasts with what happened next. The pods are `kubectl get pod` output from pods on Docker, some with
 * events. The text of each forecast is stored next to them. `pnpm record-pods` records the pods and their runs again;
 * `UPDATE_GOLDEN=1` updates the texts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { Simulation } from '@podscope/node/virtual';
import { instant, type TraceEventOf, toJson } from '@podscope/trace';
import { inEnglish } from '@podscope/trace/explain';
import { describe, expect, it } from 'vitest';
import { describeEntry, type Forecast, forecast } from './forecast.ts';
import { formatSnapshotText } from './notices.ts';
import { readSnapshots } from './read-snapshots.ts';
import { judge } from './testing/judge.ts';
import { readNext } from './testing/recorded-next.ts';

const folder = new URL('testing/snapshots/', import.meta.url);
const goldenFile = new URL('testing/forecasts.golden.txt', import.meta.url);
const names = readdirSync(folder).filter((name) => /\.(?:yaml|json)$/.test(name));
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

function reported(name: string, { explanation, waits, entries, observedAt, notices }: Forecast): string {
  const at = (time: number): string => `+${Math.round((time - observedAt) / 1000)} s`;
  return [
    `## ${name}`,
    explanation?.headline ?? '',
    ...(explanation?.diagnoses.map(({ title }) => `diagnosis: ${inEnglish(title)}`) ?? []),
    ...waits.map(
      ({ container, kind, seconds, until }) => `${container} waits ${seconds} s for its ${kind}, until ${at(until)}`,
    ),
    ...entries.slice(0, 5).map((entry) => `${at(entry.at)} ${describeEntry(entry)}`),
    ...notices.slice(1).map(formatSnapshotText),
    '',
  ].join('\n');
}

describe('forecast of a pod', () => {
  it('reports the recorded state and predicts the recorded continuation', { timeout: 120_000 }, async () => {
    expect(names.length).toBeGreaterThanOrEqual(15);
    const [texts, wrong]: [string[], string[]] = [[], []];
    let comparisons = 0;
    for (const name of names) {
      const { snapshots, errors } = readSnapshots(read(name));
      expect({ name, errors }).toEqual({ name, errors: [] });
      const [snapshot] = snapshots;
      if (!snapshot) throw new Error(`${name} has no pod`);
      const next = readNext(read(name.replace(/\.\w+$/, '.next.txt')));
      const foreseen = await forecast(snapshot, { at: instant(next.taken.getTime()), limit: 8, horizon: 200_000 });
      texts.push(reported(name, foreseen));
      const { misses, compared } = judge(snapshot, foreseen, next, 'v1.36');
      wrong.push(...misses.map((miss) => `${name}: ${miss}`));
      comparisons += compared;
    }
    expect(wrong).toEqual([]);
    expect(comparisons).toBeGreaterThanOrEqual(40);
    const text = texts.join('\n');
    if (process.env['UPDATE_GOLDEN']) await writeFile(goldenFile, text);
    expect(text).toBe(readFileSync(goldenFile, 'utf8'));
  });

  it('restores a pod whose spec was edited to an invalid image', { timeout: 120_000 }, async () => {
    const { snapshots } = readSnapshots(`apiVersion: v1
kind: Pod
metadata: {name: web, uid: "1", creationTimestamp: "2026-03-01T10:00:00Z"}
spec: {containers: [{name: app, image: "Not An Image"}]}
status:
  phase: Running
  startTime: "2026-03-01T10:00:00Z"
  containerStatuses:
    - name: app
      image: nginx:1.27
      imageID: sha256:1
      ready: true
      started: true
      restartCount: 0
      state: {running: {startedAt: "2026-03-01T10:00:02Z"}}
`);
    const [snapshot] = snapshots;
    if (!snapshot) throw new Error('the pod was not read');
    const { entries } = await forecast(snapshot, { limit: 5, horizon: 120_000 });
    expect(entries.map((entry) => describeEntry(entry)).join('\n')).toContain('app');
  });

  describe('names the state as kubectl does and predicts the next events', () => {
    /** Returns the phase, the cause, and the entries of the next two minutes. */
    async function outlook(metadata: string, spec: string, status: string): Promise<string> {
      const { snapshots } = readSnapshots(`apiVersion: v1
kind: Pod
metadata: {name: web, uid: "1", creationTimestamp: "2026-03-01T10:00:00Z"${metadata}}
spec: {${spec}, containers: [{name: app, image: "busybox:1.36"}]}
status: {startTime: "2026-03-01T10:00:00Z", ${status}}
`);
      const [snapshot] = snapshots;
      if (!snapshot) throw new Error('the pod was not read');
      const { explanation, entries, observedAt, notices } = await forecast(snapshot, { limit: 6, horizon: 120_000 });
      const reported = entries.map(
        (entry) => `+${Math.round((entry.at - observedAt) / 1_000)} s ${describeEntry(entry)}`,
      );
      const titles = (explanation?.diagnoses ?? []).map(({ title }) => inEnglish(title));
      return [
        `at ${new Date(observedAt).toISOString().slice(11, 19)}`,
        explanation?.headline ?? '',
        ...titles,
        ...reported,
        ...notices.slice(1).map(formatSnapshotText),
      ].join('\n');
    }
    const running =
      'containerStatuses: [{name: app, image: a, ready: true, started: true, restartCount: 0, state: ' +
      '{running: {startedAt: "2026-03-01T10:00:02Z"}}}]';
    const times = {
      first: '{startedAt: "2026-03-01T10:00:02Z", finishedAt: "2026-03-01T10:01:02Z", exitCode: 1}',
      again: '{startedAt: "2026-03-01T10:01:02Z"}',
    };

    it.each([
      [
        'has no node',
        '',
        'dnsPolicy: Default',
        'phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: ' +
          '"0/3 nodes"}]',
        ['default/web is Pending: 0 of 1 container ready', 'The scheduler finds no node for the pod'],
      ],
      [
        'was evicted',
        '',
        'nodeName: node-1',
        'phase: Failed, reason: Evicted, message: low on memory',
        ['default/web is Evicted: 0 of 1', 'The pod was evicted'],
      ],
      [
        'is being deleted',
        ', deletionTimestamp: "2026-03-01T10:20:30Z", deletionGracePeriodSeconds: 30',
        'nodeName: node-1',
        `phase: Running, ${running}`,
        [
          'at 10:20:00',
          'default/web is Terminating: 1 of 1',
          '+0 s Killing: Stopping container app',
          'The pod is deleted',
        ],
      ],
      [
        'is the copy of a static pod',
        ', annotations: {kubernetes.io/config.mirror: x, kubernetes.io/config.source: file}',
        'nodeName: node-1',
        `phase: Running, ${running}`,
        ['default/web is Running: 1 of 1', 'mirror pod of a static pod'],
      ],
      [
        'waits for nobody knows what',
        '',
        'nodeName: node-1',
        'phase: Pending, containerStatuses: [{name: app, image: a, ready: false, restartCount: 0, state: ' +
          '{waiting: {reason: ContainerCreating}}}]',
        ['default/web is ContainerCreating: 0 of 1', 'kubectl get pods,events'],
      ],
      [
        'wants what the simulated node has not',
        '',
        'nodeName: node-1, hostUsers: false, os: {name: windows}, runtimeClassName: kata, nodeSelector: {gpu: "1"}',
        `phase: Running, ${running}`,
        ['default/web is Running: 1 of 1', 'hostUsers: false', 'runs Linux', 'kata', 'The node selector'],
      ],
      // The times in a status are whole seconds.
      [
        'was started again in the second in which it ended',
        '',
        'nodeName: node-1',
        'phase: Running, containerStatuses: [{name: app, image: a, ready: true, started: true, restartCount: ' +
          `1, lastState: {terminated: ${times.first}}, state: {running: ${times.again}}}]`,
        [
          'default/web is Running: 1 of 1 container ready, 1 restart',
          '+60 s app exits with code 1 (Error), if it behaves as before',
        ],
      ],
    ])('for a pod that %s', async (_name, metadata, spec, status, expected) => {
      const text = await outlook(metadata, spec, status);
      for (const line of expected) expect(text).toContain(line);
      // The forecast contains no event before the snapshot.
      expect(text).not.toContain('+0 s app starts');
    });
  });

  it('predicts what the kubelet of the recording did', async () => {
    const run = new Simulation({ nodeName: 'node' });
    await run.start();
    await run.nodeHost.commands.apply(
      'apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {containers: [{name: app, image: ' +
        '"busybox:1.36", command: [sh, -c, "sleep 3; exit 1"]}]}\n',
    );
    await run.clock.advance(75_000);
    const items = [...run.nodeHost.api.storage.list('Pod'), ...run.nodeHost.api.storage.list('Event')];
    const [snapshot] = readSnapshots(toJson({ apiVersion: 'v1', kind: 'List', items })).snapshots;
    if (!snapshot) throw new Error('the pod was not read');
    const seen = run.nodeHost.log.lastSeq;
    await run.clock.advance(1_200_000);
    const starts = run.nodeHost.log
      .after(seen)
      .filter(
        (event): event is TraceEventOf<'runtimeStateChanged'> =>
          event.type === 'runtimeStateChanged' && event.object === 'container' && event.to === 'running',
      );
    await run.stop();
    const { entries } = await forecast(snapshot, { limit: 12, horizon: 1_200_000 });
    const foreseen = entries.filter(({ kind }) => kind === 'start').map(({ at }) => at);
    expect(foreseen.length).toBeGreaterThanOrEqual(3);
    // The first sync after the back-off restarts the container, up to 15 seconds after its end.
    for (const [index, at] of foreseen.entries())
      expect(Math.abs(at - (starts[index]?.time ?? 0)) / 1000).toBeLessThan(20 * (index + 1));
  });
});
