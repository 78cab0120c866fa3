/**
 * Compares forecasts with what a genuine kubelet did. Kubelet v1.20.2 ran the recorded pods. A forecast is made at
 * every instant at which a status changed, and halfway to the next change. The recordings contain no output of
 * Podscope.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { instant } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { forecast } from './forecast.ts';
import { readSnapshots } from './read-snapshots.ts';
import { type Fact, judge } from './testing/judge.ts';

const folder = new URL('../../../apps/lab/recordings/v1.20/', import.meta.url);
const names = readdirSync(folder).filter((name) => /^\d.*\.json$/.test(name));

const named = z.looseObject({ name: z.string() });
const recordingSchema = z.object({
  actions: z.array(z.object({ t: z.number() })),
  pod: z.object({
    key: z.string(),
    annotations: z.record(z.string(), z.string()),
    specAfterDefaults: z.looseObject({ containers: z.array(named), initContainers: z.array(named).optional() }),
  }),
  statuses: z.array(
    z.looseObject({
      t: z.number(),
      uid: z.string().optional(),
      gone: z.boolean().optional(),
      startTime: z.number().optional(),
    }),
  ),
  events: z.array(z.object({ t: z.number(), type: z.string(), reason: z.string(), message: z.string() })),
  engineEvents: z.array(
    z.looseObject({
      t: z.number(),
      action: z.string(),
      container: z.string().optional(),
      attempt: z.number().optional(),
      signal: z.string().optional(),
    }),
  ),
});
type Recording = z.infer<typeof recordingSchema>;

/** The second in which the recordings' clock starts. Each recording starts some milliseconds later. */
const epoch = Date.parse('2026-01-02T10:00:00Z');

class Recorded {
  readonly #recording: Recording;
  /** The instant of t = 0. */
  readonly #zero: number;

  constructor(name: string) {
    this.#recording = recordingSchema.parse(JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
    // The times in statuses are whole seconds, from which the instant of t = 0 can be computed.
    const [first = 0] = this.#recording.statuses.flatMap(({ startTime }) => startTime ?? []);
    this.#zero = epoch - first;
  }

  instantOf = (t: number) => instant(this.#zero + t);

  /** Yields each status with the time at which the API showed it. */
  *looks(): Iterable<{ readonly t: number; readonly status: Recording['statuses'][number] }> {
    const { statuses } = this.#recording;
    for (const [index, status] of statuses.entries()) {
      if (status.gone) continue;
      yield { t: status.t, status };
      const next = statuses[index + 1];
      if (next && next.t - status.t > 5_000) yield { t: Math.round((status.t + next.t) / 2), status };
    }
  }

  /** Returns the output of `kubectl get pods,events -o json` at that instant. */
  printed({ t, status }: { readonly t: number; readonly status: Recording['statuses'][number] }): string {
    const { pod, events } = this.#recording;
    const [namespace, name] = pod.key.split('/');
    const spec = pod.specAfterDefaults;
    const metadata = {
      name,
      namespace,
      uid: status.uid,
      creationTimestamp: this.#time(0),
      annotations: pod.annotations,
    };
    const groups = new Map<
      string,
      { count: number; first: number; last: number; event: Recording['events'][number] }
    >();
    for (const event of events.filter((each) => each.t <= t)) {
      const known = groups.get(`${event.reason} ${event.message}`);
      groups.set(`${event.reason} ${event.message}`, {
        count: (known?.count ?? 0) + 1,
        first: known?.first ?? event.t,
        last: event.t,
        event,
      });
    }
    const items = [...groups.values()].map(({ count, first, last, event: { type, reason, message } }, index) => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${name}.${index}`, namespace },
      involvedObject: { kind: 'Pod', namespace, name, uid: status.uid, fieldPath: this.#fieldPath(message) },
      type,
      reason,
      message,
      count,
      firstTimestamp: this.#time(first),
      lastTimestamp: this.#time(last),
    }));
    return JSON.stringify({
      apiVersion: 'v1',
      kind: 'List',
      items: [{ apiVersion: 'v1', kind: 'Pod', metadata, spec, status: this.#withTimes(status) }, ...items],
    });
  }

  /** Returns the events from shortly before an instant until a user changed the pod. */
  factsAfter(t: number): { readonly facts: readonly Fact[]; readonly until: number } {
    const { engineEvents, events, actions } = this.#recording;
    const [only, ...others] = this.#containers();
    const kinds = { create: 'attempt', kill: 'kill', die: 'end' } as const;
    const facts: Fact[] = engineEvents.flatMap(({ t: at, action, container = '', attempt, signal }) =>
      container !== 'POD' && (action === 'create' || (action === 'kill' && signal === '15') || action === 'die')
        ? [{ after: (at - t) / 1_000, kind: kinds[action], container, ...(attempt !== undefined && { attempt }) }]
        : [],
    );
    for (const event of events) {
      const container = others.length === 0 ? (only ?? '') : '';
      if (event.reason === 'Pulling') facts.push({ after: (event.t - t) / 1_000, kind: 'pull', container: '' });
      if (event.message.startsWith('Failed to pull'))
        facts.push({ after: (event.t - t) / 1_000, kind: 'failure', container });
      if (event.reason === 'Killing' && container)
        facts.push({ after: (event.t - t) / 1_000, kind: 'kill', container });
    }
    const next = actions.find((action) => action.t > t)?.t ?? t;
    return { facts: facts.toSorted((a, b) => a.after - b.after), until: (next - t) / 1_000 };
  }

  #containers = (): readonly string[] => {
    const { containers, initContainers = [] } = this.#recording.pod.specAfterDefaults;
    return [...initContainers, ...containers].map(({ name }) => name);
  };

  #fieldPath(message: string): string | undefined {
    const { containers, initContainers = [] } = this.#recording.pod.specAfterDefaults;
    const name = /[Cc]ontainer (\w+)/.exec(message)?.[1];
    if (initContainers.some((each) => each.name === name)) return `spec.initContainers{${name}}`;
    const [only, ...others] = containers;
    const known =
      containers.find((each) => each.name === name) ??
      (others.length === 0 && initContainers.length === 0 ? only : undefined);
    return known && `spec.containers{${known.name}}`;
  }

  /** Formats a time as the API does, in whole seconds. */
  #time = (t: number): string => `${new Date(this.#zero + t).toISOString().slice(0, 19)}Z`;

  #withTimes(value: unknown, key = ''): unknown {
    if (typeof value === 'number' && /(?:At|Time)$/.test(key)) return this.#time(value);
    if (value === '<podIP>') return '172.17.0.5';
    if (Array.isArray(value)) return value.map((item) => this.#withTimes(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#withTimes(item, name)]));
  }
}

describe('forecast of a recorded pod', () => {
  it.each(names)('matches what the kubelet then did: %s', async (name) => {
    const recorded = new Recorded(name);
    const misses: string[] = [];
    let [looks, comparisons] = [0, 0];
    for (const look of recorded.looks()) {
      const { snapshots, errors } = readSnapshots(recorded.printed(look));
      expect(errors).toEqual([]);
      const [snapshot] = snapshots;
      if (!snapshot) throw new Error('the pod was not read');
      const then = recorded.factsAfter(look.t);
      const foreseen = await forecast(snapshot, {
        profile: 'v1.20',
        at: recorded.instantOf(look.t),
        limit: 6,
        horizon: then.until * 1_000,
      });
      const { misses: found, compared } = judge(snapshot, foreseen, then, 'v1.20');
      misses.push(...found.map((miss) => `${look.t} ms: ${miss}`));
      looks++;
      comparisons += compared;
    }
    expect(misses).toEqual([]);
    expect(looks).toBeGreaterThanOrEqual(3);
    expect(comparisons).toBeGreaterThanOrEqual(1);
  });
});
