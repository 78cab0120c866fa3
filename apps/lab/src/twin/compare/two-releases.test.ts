/**
 * Tests the parts of the comparison that depend on the release of the recorded kubelet, and the races in both releases.
 */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findRecordings, profileOf, type Recording } from '../recording.ts';
import type { ReplayObservations } from '../run/replay-observations.ts';
import { bareEngine, seenAsRecorded } from '../testing/recorded-run.ts';
import { compare } from './compare.ts';
import { normalizerFor } from './normalize.ts';

const read = async (release: string): Promise<readonly Recording[]> =>
  (await findRecordings(fileURLToPath(new URL(`../../../recordings/${release}`, import.meta.url)))).recordings;

const current = await read('v1.36');
const old = await read('v1.20');

function named(recordings: readonly Recording[], part: string): Recording {
  const found = recordings.find(({ name }) => name.includes(part));
  if (!found) throw new Error(`no recording is named ${part}`);
  return structuredClone(found);
}

type Body = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Returns the observed run with the body of one created container changed. */
function withBody(seen: ReplayObservations, name: string, change: (body: Body) => Body): ReplayObservations {
  const [created] = seen.trace.creates.get(name) ?? [];
  if (!created) throw new Error(`${name} wasn't created`);
  const inspection = created.inspection.then((body) => change((body ?? {}) as Body));
  return {
    ...seen,
    trace: { ...seen.trace, creates: new Map([...seen.trace.creates, [name, [{ ...created, inspection }]]]) },
  };
}

describe('recordings of v1.36', () => {
  it.each(current.map((recording) => [recording.name, recording] as const))(
    '%s: finds no difference when it is replayed exactly',
    async (_name, recording) => {
      expect(profileOf(recording)).toBe('v1.36');
      expect(await compare(recording, seenAsRecorded(recording), bareEngine)).toEqual([]);
    },
  );

  it('ignores different masked paths, which the CRI runtime chooses', async () => {
    const recording = named(current, '01-happy-one');
    const seen = withBody(seenAsRecorded(recording), 'app/0', (body) => ({
      ...body,
      HostConfig: { ...body['HostConfig'], MaskedPaths: ['/proc/kcore'] },
    }));
    expect(await compare(recording, seen, bareEngine)).toEqual([]);
  });

  it('reports a different environment, which the kubelet chooses', async () => {
    const recording = named(current, '25-env-downward');
    const seen = withBody(seenAsRecorded(recording), 'app/0', (body) => ({
      ...body,
      Config: { ...body['Config'], Env: ['A=other'] },
    }));
    expect(await compare(recording, seen, bareEngine)).toEqual([expect.stringMatching(/^create app\/0: Config\.Env:/)]);
  });

  it('ignores the form of a mount, and reports a different target', async () => {
    const recording = named(current, '01-happy-one');
    const binds = (target: string) =>
      withBody(seenAsRecorded(recording), 'app/0', (body) => {
        const { Mounts, ...host } = body['HostConfig'] ?? {};
        const mounts = (Mounts as readonly { readonly Source: string; readonly Target: string }[]).map(
          ({ Source, Target }) => `${Source}:${Target === '/etc/hosts' ? target : Target}`,
        );
        return { ...body, HostConfig: { ...host, Binds: mounts } };
      });
    expect(await compare(recording, binds('/etc/hosts'), bareEngine)).toEqual([]);
    expect(await compare(recording, binds('/etc/host'), bareEngine)).toEqual([
      expect.stringMatching(/^create app\/0: HostConfig\.Mounts:/),
    ]);
  });

  it('reports an event on another container, because v1.36 records field paths', async () => {
    const recording = named(current, '45-sidecar-always');
    const seen = seenAsRecorded(recording);
    const events = seen.events.map((event) =>
      event.fieldPath === 'spec.initContainers{side2}' && event.reason === 'Started'
        ? { ...event, fieldPath: 'spec.containers{side2}' }
        : event,
    );
    const found = await compare(recording, { ...seen, events }, bareEngine);
    expect(found).toContain('event only here: Normal Started spec.containers{side2}: Container started');
  });
});

describe('recordings of v1.20', () => {
  it('reports a different host config, because dockershim is part of that kubelet', async () => {
    const recording = named(old, '01-happy-one');
    const seen = withBody(seenAsRecorded(recording), 'app/0', (body) => ({
      ...body,
      HostConfig: { ...body['HostConfig'], ShmSize: 1 },
    }));
    expect(await compare(recording, seen, bareEngine)).toEqual([
      expect.stringMatching(/^create app\/0: HostConfig\.ShmSize:/),
    ]);
  });
});

describe('tokens', () => {
  it('appends six characters of the UID to a token if the pod had two UIDs', () => {
    const recording = named(old, '01-happy-one');
    const two: Recording = {
      ...recording,
      pod: { ...recording.pod, uids: ['e910b5aa-1', '77aa00bb-2'] },
      creates: { 'app/0': { HostConfig: { NetworkMode: 'container:<POD#0@e910b5>' } } },
    };
    const id = 'a'.repeat(64);
    const seen: ReplayObservations = {
      ...seenAsRecorded(recording),
      uids: ['here-0', 'here-1'],
      trace: {
        events: [],
        creates: new Map(),
        ids: new Map([[id, { container: 'POD', attempt: 0, uid: 'here-0' }]]),
      },
    };
    expect(normalizerFor(two, seen)(`container:${id}`)).toBe('container:<POD#0@e910b5>');
    expect(normalizerFor(recording, { ...seen, uids: ['here-0'] })(`container:${id}`)).toBe('container:<POD#0>');
  });
});

describe('races', () => {
  it('ignores mode 0755 instead of 0750 on the volumes directory, and reports 0700', async () => {
    const recording = named(old, '03-init-ok');
    const seen = seenAsRecorded(recording);
    const withMode = (mode: string): ReplayObservations => ({
      ...seen,
      podDir: seen.podDir.map((entry) => (entry.path.endsWith('/volumes') ? { ...entry, mode } : entry)),
    });
    expect(await compare(recording, withMode('755'), bareEngine)).toEqual([]);
    expect(await compare(recording, withMode('700'), bareEngine)).toHaveLength(2);
  });

  it('ignores exit code 0 instead of 137 when a pod without volumes exceeds its deadline', async () => {
    const recording = named(old, '01-happy-one');
    const ended = recording.engineEvents.findLast(({ action }) => action === 'die')?.t ?? 0;
    const event = { t: ended - 500, type: 'Normal', reason: 'DeadlineExceeded', message: 'Pod was active on the node' };
    const late: Recording = {
      ...recording,
      actions: recording.actions.filter(({ action }) => !action.startsWith('manifest removed')),
      events: [...recording.events, event],
    };
    const seen = seenAsRecorded(late);
    const events = seen.trace.events.map((each) =>
      each.action === 'die' && each.container === 'app' ? { ...each, exitCode: '0' } : each,
    );
    const found = await compare(late, { ...seen, trace: { ...seen.trace, events } }, bareEngine);
    expect(found.filter((text) => text.includes('exit code'))).toEqual([]);
  });
});
