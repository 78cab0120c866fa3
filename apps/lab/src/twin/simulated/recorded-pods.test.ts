/**
 * Tests Kubelet.syncPod with the pods that genuine kubelets ran: over the simulated runtime, on virtual time, each pod
 * gets the recorded events, containers, exits and statuses.
 */
import { fileURLToPath } from 'node:url';
import { kubeletSyncPodPoints, kubeletSyncPodPointsV120 } from '@podscope/flow';
import { beforeAll, describe, expect, it } from 'vitest';
import { compareEngine } from '../compare/engine.ts';
import { compareEvents } from '../compare/events.ts';
import { normalizerFor } from '../compare/normalize.ts';
import { compareStatuses } from '../compare/statuses.ts';
import { compareTimes } from '../compare/times.ts';
import { findRecordings, type Recording } from '../recording.ts';
import { bareEngine } from '../testing/recorded-run.ts';
import { type SimulatedRun, simulate } from './simulate.ts';

const found = await Promise.all(
  (['v1.20', 'v1.36'] as const).map(async (release) => {
    const { recordings } = await findRecordings(
      fileURLToPath(new URL(`../../../recordings/${release}`, import.meta.url)),
    );
    return recordings.map((recording) => ({ release, name: recording.name, recording }));
  }),
);

/**
 * Returns the recording without what the simulated runtime doesn't report: signals, and the exit code of the pause
 * process.
 */
const comparable = (recording: Recording): Recording => ({
  ...recording,
  engineEvents: recording.engineEvents.filter(
    ({ action, container }) => action !== 'kill' && !(action === 'die' && container === 'POD'),
  ),
});

const withoutPauseExits = (seen: SimulatedRun): SimulatedRun => ({
  ...seen,
  trace: {
    ...seen.trace,
    events: seen.trace.events.filter(({ action, container }) => !(action === 'die' && container === 'POD')),
  },
});

interface Sync {
  readonly steps: readonly string[];
  readonly phase: unknown;
  readonly failed: boolean;
}

/** Returns the steps of each sync in the log, with the phase it set and whether it failed. */
function syncsOf({ log }: SimulatedRun): readonly Sync[] {
  const started = log.filter((event) => event.type === 'spanStarted');
  const failed = new Set(log.flatMap((event) => (event.type === 'spanEnded' && event.error ? [event.span] : [])));
  return started
    .filter(({ point }) => point === 'kubelet.SyncPod')
    .map(({ span }) => {
      const steps = started.filter(({ parent, point }) => parent === span && point.startsWith('kubelet.syncPod.'));
      const phase = steps.find(({ point }) => point.endsWith('.setPodStatus'))?.attributes?.['phase'];
      return { steps: steps.map(({ point }) => point), phase, failed: failed.has(span) };
    });
}

const pointsOf = { 'v1.20': kubeletSyncPodPointsV120, 'v1.36': kubeletSyncPodPoints };

describe.each(found.flat())('$release $name', ({ release, recording }) => {
  let seen: SimulatedRun;

  beforeAll(async () => {
    seen = await simulate(recording);
  });

  it('emits the recorded events', async () => {
    const comparison = { recording, seen, normalize: normalizerFor(recording, seen), reference: bareEngine };
    expect(await compareEvents(comparison)).toEqual([]);
  });

  it('creates, starts and ends the recorded containers in the recorded order and time', async () => {
    const comparison = {
      recording: comparable(recording),
      seen: withoutPauseExits(seen),
      normalize: normalizerFor(recording, seen),
      reference: bareEngine,
    };
    expect([...(await compareEngine(comparison)), ...(await compareTimes(comparison))]).toEqual([]);
  });

  it('sets the recorded statuses, each from a sync with the recorded phase', async () => {
    const comparison = { recording, seen, normalize: normalizerFor(recording, seen), reference: bareEngine };
    expect(await compareStatuses(comparison)).toEqual([]);
    const recorded = new Set(recording.statuses.map(({ phase }) => phase));
    for (const { phase } of syncsOf(seen)) expect(recorded).toContain(phase);
  });

  it("runs the release's steps in their order in every sync", () => {
    const order = Object.values<{ readonly id: string }>(pointsOf[release]).map(({ id }) => id);
    const syncs = syncsOf(seen);
    expect(syncs.length).toBeGreaterThan(1);
    for (const { steps } of syncs) expect(steps).toEqual(order.filter((id) => steps.includes(id)));
  });

  it('receives the recorded operations of the pod source', () => {
    const operations = recording.syncLoop.filter(({ op }) => ['ADD', 'UPDATE', 'REMOVE'].includes(op));
    expect(seen.operations).toEqual(operations.map(({ op }) => op));
  });
});
