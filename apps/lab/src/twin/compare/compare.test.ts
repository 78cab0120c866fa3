import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findRecordings, type Recording } from '../recording.ts';
import type { ReplayObservations } from '../run/replay-observations.ts';
import { bareEngine, seenAsRecorded } from '../testing/recorded-run.ts';
import { compare } from './compare.ts';

const directory = fileURLToPath(new URL('../../../recordings/v1.20', import.meta.url));
const { recordings } = await findRecordings(directory);

const named = (part: string): Recording => {
  const found = recordings.find(({ name }) => name.includes(part));
  if (!found) throw new Error(`there is no recording ${part}`);
  return structuredClone(found);
};

type Draft = { -readonly [Key in keyof ReplayObservations]: ReplayObservations[Key] };

/** Returns the differences of a run that equals its recording except for one change. */
async function differences(
  part: string,
  change: (seen: Draft, recording: Recording) => void,
  options?: Parameters<typeof compare>[3],
): Promise<readonly string[]> {
  const recording = named(part);
  const seen: Draft = seenAsRecorded(recording);
  change(seen, recording);
  return compare(recording, seen, bareEngine, options);
}

type Create = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Changes the inspected body of a container. */
function changeCreate(seen: Draft, name: string, change: (body: Create) => Create): void {
  const [created] = seen.trace.creates.get(name) ?? [];
  if (!created) throw new Error(`there is no ${name}`);
  const inspection = created.inspection.then((body) => change((body ?? {}) as Create));
  seen.trace = { ...seen.trace, creates: new Map([...seen.trace.creates, [name, [{ ...created, inspection }]]]) };
}

const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const hostConfig =
  (more: object) =>
  (body: Create): Create => ({ ...body, HostConfig: { ...body['HostConfig'], ...more } });

const changeEngine = (
  seen: Draft,
  change: (events: ReplayObservations['trace']['events']) => ReplayObservations['trace']['events'],
): void => {
  seen.trace = { ...seen.trace, events: change(seen.trace.events) };
};

describe('compare', () => {
  it.each(recordings.map((recording) => [recording.name, recording] as const))(
    '%s: finds no difference when it is replayed exactly',
    async (_name, recording) => {
      expect(await compare(recording, seenAsRecorded(recording), bareEngine)).toEqual([]);
    },
  );

  it.each<[what: string, recording: string, change: (seen: Draft, recording: Recording) => void, first: string]>([
    ['a run with trouble', '01', (seen) => (seen.trouble = ['no such container']), 'no such container'],
    [
      'a missing event',
      '01',
      (seen) => (seen.events = seen.events.slice(1)),
      'event only in the recording: Normal Pulled: Container image',
    ],
    [
      'a different message',
      '12',
      (seen) =>
        (seen.events = seen.events.map((event) => ({
          ...event,
          message: event.message.replace('dial tcp', 'connect ECONNREFUSED'),
        }))),
      'event only in the recording: Warning Failed: Failed to pull image',
    ],
    [
      'an additional start',
      '01',
      (seen) => (seen.events = [...seen.events, ...seen.events.filter(({ reason }) => reason === 'Started')]),
      'event Normal Started: Started container app: recorded 1 times, here 2',
    ],
    [
      'a different order of creates',
      '35',
      (seen) =>
        changeEngine(seen, (events) =>
          events.map((event) =>
            event.container === 'POD' ? event : { ...event, container: event.container === 'a' ? 'b' : 'a' },
          ),
        ),
      'engine, step 3: recorded "create a#0", here "create b#0"',
    ],
    [
      'an additional create',
      '01',
      (seen) =>
        changeEngine(seen, (events) => [
          ...events,
          ...events.filter(({ action, container }) => action === 'create' && container === 'app'),
        ]),
      'engine, step 5: recorded nothing, here "create app#0"',
    ],
    [
      'two additional restarts of a crash loop',
      '10',
      (seen) =>
        changeEngine(seen, (events) => [
          ...events,
          ...[7, 8].flatMap((attempt) =>
            events
              .filter(({ action, container }) => action === 'create' && container === 'app')
              .slice(-1)
              .map((event) => ({ ...event, attempt })),
          ),
          ...events.filter(({ action, container }) => action === 'start' && container === 'app').slice(-1),
        ]),
      'engine, step 17: recorded nothing, here "create app#7"',
    ],
    [
      'a different exit code',
      '08',
      (seen) =>
        changeEngine(seen, (events) =>
          events.map((event) => (event.exitCode === '3' ? { ...event, exitCode: '137' } : event)),
        ),
      'app#0: recorded exit code 3, here 137',
    ],
    [
      'a kill instead of a stop',
      '29',
      (seen) =>
        changeEngine(seen, (events) =>
          events.map((event) => (event.signal === '15' && event.t < 20_000 ? { ...event, signal: '9' } : event)),
        ),
      'app#0: recorded signals 15, here 9',
    ],
    [
      'a different label',
      '03',
      (seen) => changeCreate(seen, 'i1/0', (body) => ({ ...body, Config: { ...body['Config'], Labels: {} } })),
      'create i1/0: Config.Labels: recorded {"annotation.io.kubernetes.container.hash"',
    ],
    [
      'a different environment',
      '25',
      (seen) => changeCreate(seen, 'app/0', (body) => ({ ...body, Config: { ...body['Config'], Env: ['A=one'] } })),
      'create app/0: Config.Env: recorded ["A=one","ANN=some text"',
    ],
    [
      'a different bind',
      '03',
      (seen) => changeCreate(seen, 'app/0', hostConfig({ Binds: [] })),
      'create app/0: HostConfig.Binds: recorded [',
    ],
    [
      'an additional memory limit',
      '01',
      (seen) => changeCreate(seen, 'app/0', hostConfig({ Memory: 1024 })),
      'create app/0: HostConfig.Memory: recorded undefined, here 1024',
    ],
    [
      'an OOM score above zero',
      '01',
      (seen) => changeCreate(seen, 'POD/0', hostConfig({ OomScoreAdj: 100 })),
      'create POD/0: HostConfig.OomScoreAdj: recorded -998, here 100',
    ],
    [
      'a different hostname of a sandbox',
      '01',
      (seen) => changeCreate(seen, 'POD/0', (body) => ({ ...body, Config: { ...body['Config'], Hostname: 'other' } })),
      'create POD/0: Config.Hostname: recorded "happy-one-twin-node", here "other"',
    ],
    [
      'a different phase',
      '08',
      (seen) =>
        (seen.statuses = seen.statuses.map((at) =>
          at.status?.phase === 'Failed' ? { ...at, status: { ...at.status, phase: 'Succeeded' } } : at,
        )),
      'status only in the recording, for ',
    ],
    [
      'a pod that stays listed',
      '01',
      (seen) => (seen.statuses = seen.statuses.filter(({ status }) => status)),
      'the pod is still listed here',
    ],
    [
      'a new pod instead of an update',
      '32',
      (seen) => (seen.operations = ['ADD', 'REMOVE', 'ADD', 'REMOVE']),
      'sync loop: recorded ADD UPDATE REMOVE, here ADD REMOVE ADD',
    ],
    [
      'a late start',
      '03',
      (seen) =>
        changeEngine(seen, (events) =>
          events.map((event) => (event.container === 'app' ? { ...event, t: event.t + 30_000 } : event)),
        ),
      'start app#0: recorded 2.155 s after the one before, here 32.155 s',
    ],
    [
      'a different mode of a directory',
      '03',
      (seen) => (seen.podDir = seen.podDir.map((entry) => ({ ...entry, mode: '700' }))),
      'directory only in the recording: dir ',
    ],
  ])('reports a difference for %s', async (_what, part, change, first) => {
    expect((await differences(part, change))[0]).toContain(first);
  });

  it('reports no late start on a busy machine', async () => {
    const late = (seen: Draft): void =>
      changeEngine(seen, (events) => events.map((event) => ({ ...event, t: event.t + 30_000 })));
    expect(await differences('03', late, { isBusy: true })).toEqual([]);
  });

  it('reports the stop of an exited container in a failed pod, unless the machine is busy', async () => {
    const stopped = (seen: Draft): void => {
      seen.events = [...seen.events, { t: 8000, type: 'Normal', reason: 'Killing', message: 'Stopping container ok' }];
    };
    const reported = ['event only here: Normal Killing: Stopping container ok'];
    expect(await differences('08-never-failure', stopped)).toEqual(reported);
    expect(await differences('08-never-failure', stopped, { isBusy: true })).toEqual([]);
    expect(await differences('03', stopped, { isBusy: true })).toEqual(reported);
  });

  it.each<[what: string, recording: string, change: (seen: Draft, recording: Recording) => void]>([
    ['a different order of events', '35', (seen) => (seen.events = seen.events.toReversed())],
    [
      'the number of back-off events of a pull',
      '12',
      (seen) => (seen.events = [...seen.events, ...seen.events.filter(({ reason }) => reason === 'BackOff')]),
    ],
    [
      'an additional restart at the end of a crash loop',
      '10',
      (seen) => {
        const last = (action: string) =>
          seen.trace.events.filter((event) => event.action === action && event.container === 'app').slice(-1);
        changeEngine(seen, (events) => [
          ...events,
          ...[...last('create'), ...last('start')].map((event) => ({ ...event, attempt: 7, t: event.t + 2000 })),
        ]);
      },
    ],
    [
      'a different exit of a removed pod without volumes, which is stopped twice',
      '01',
      (seen) =>
        changeEngine(seen, (events) =>
          events.map((event) => (event.action === 'die' ? { ...event, exitCode: '0' } : event)),
        ),
    ],
    [
      'a different order of kills',
      '35',
      (seen) =>
        changeEngine(seen, (events) => [
          ...events.filter(({ action }) => action !== 'kill'),
          ...events.filter(({ action }) => action === 'kill').toReversed(),
        ]),
    ],
    [
      'an OOM score that the engine cannot set',
      '01',
      (seen) => changeCreate(seen, 'POD/0', hostConfig({ OomScoreAdj: 0 })),
    ],
    [
      'the order of environment and binds, and the environment of the image',
      '25',
      (seen) =>
        changeCreate(seen, 'app/0', (body) => ({
          ...body,
          Config: { ...body['Config'], Env: [...list(body['Config']?.['Env']).toReversed(), 'PATH=/bin'] },
          HostConfig: { ...body['HostConfig'], Binds: list(body['HostConfig']?.['Binds']).toReversed() },
        })),
    ],
    [
      'the machine name as the hostname of a host-network sandbox',
      '01',
      (seen, recording) => {
        const sandbox = recording.creates['POD/0'] as { HostConfig: object; Config: object };
        recording.creates['POD/0'] = {
          ...sandbox,
          Config: { ...sandbox.Config, Hostname: 'theirs' },
          HostConfig: { ...sandbox.HostConfig, NetworkMode: 'host' },
        };
        changeCreate(seen, 'POD/0', hostConfig({ NetworkMode: 'host' }));
      },
    ],
    [
      'a status that is too short to be observed in every run',
      '01',
      (seen) => {
        const at = seen.statuses.findIndex(({ status }) => status?.phase === 'Running');
        const running = seen.statuses[at];
        if (running)
          seen.statuses = seen.statuses.toSpliced(at, 0, {
            ...running,
            t: running.t - 1000,
            status: { ...running.status, phase: 'Unknown' },
          });
      },
    ],
    [
      'a file that a container wrote',
      '03',
      (seen) => (seen.podDir = seen.podDir.filter(({ path }) => !path.endsWith('/order'))),
    ],
    [
      'the setgid bit of a volume',
      '03',
      (seen) => (seen.podDir = seen.podDir.map((entry) => (entry.mode === '777' ? { ...entry, mode: '2777' } : entry))),
    ],
    [
      'the directory of the engine and the local end of a connection',
      '01',
      (seen, recording) => {
        const event = { t: 1, type: 'Warning', reason: 'Unhealthy' };
        const message = (hex: string, port: number): string =>
          `Liveness probe failed: read tcp 172.17.0.1:${port}->172.17.0.9:80: read: connection reset by peer at /var/lib/docker/overlay2/${hex.repeat(64)}/merged`;
        recording.events.push({ ...event, message: message('a', 40_000).replace('172.17.0.9', '<podIP>') });
        seen.events = [...seen.events, { ...event, message: message('b', 50_000) }];
      },
    ],
  ])('reports no difference for %s', async (_what, part, change) => {
    expect(await differences(part, change)).toEqual([]);
  });

  it('compares two pods of the same name each with its own recording', async () => {
    const recording = named('01');
    const [uid = ''] = recording.pod.uids;
    recording.pod.uids.push('another');
    recording.statuses = recording.statuses.map((status) => ({ ...status, uid }));
    const seen = seenAsRecorded(recording);
    const [created] = seen.trace.creates.get('app/0') ?? [];
    if (!created) throw new Error('no container');
    const later = { identity: { ...created.identity, uid: 'here-1' }, inspection: Promise.resolve({}) };
    seen.trace.creates.set('app/0', [created, later]);
    expect(await compare(recording, seen, bareEngine)).toEqual([]);
  });
});
