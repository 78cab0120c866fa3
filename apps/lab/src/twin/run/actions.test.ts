import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findRecordings, type RecordedAction } from '../recording.ts';
import { perform } from './actions.ts';
import type { ContainerIdentity } from './engine-trace.ts';

const file = fileURLToPath(new URL('../../../recordings/v1.20/32-edit-in-place.json', import.meta.url));
const [recording] = (await findRecordings(file)).recordings;

type Reported = Pick<RecordedAction, 'action' | 'container' | 'id' | 'manifest'>;

/** Performs an action and returns descriptions of the calls that it caused. */
async function doneFor(action: Reported): Promise<readonly string[]> {
  if (!recording) throw new Error('there is no recording');
  const done: string[] = [];
  const identity = (container: string, attempt: number): ContainerIdentity => ({ container, attempt, uid: 'u' });
  const parts = {
    recording,
    node: {
      setPods: (pods: readonly { readonly spec: { readonly containers: readonly { readonly image?: string }[] } }[]) =>
        void done.push(`pods: ${pods.map(({ spec }) => spec.containers[0]?.image).join(', ')}`),
      start: () => Promise.resolve(void done.push('start')),
      stop: () => Promise.resolve(void done.push('stop')),
    },
    engine: { call: (method: string, path: string) => Promise.resolve(void done.push(`${method} ${path}`)) },
    trace: {
      ids: new Map([
        ['a0', identity('app', 0)],
        ['p0', identity('POD', 0)],
        ['a1', identity('app', 1)],
      ]),
    },
    onPod: (uid: string) => void done.push(`uid ${uid.slice(-4)}`),
  };
  await perform(parts, { t: 0, ...action });
  return done;
}

describe('perform', () => {
  it.each<[action: Reported, done: readonly string[]]>([
    [{ action: 'manifest written' }, ['uid 0032', 'pods: busybox:1.36']],
    [{ action: 'manifest replaced', manifest: recording?.actions[1]?.manifest }, ['uid 0032', 'pods: busybox:local']],
    [{ action: 'manifest removed' }, ['pods: ']],
    [{ action: 'engine: kill KILL', container: 'POD', id: '<POD#0>' }, ['POST /containers/p0/kill?signal=KILL']],
    [{ action: 'engine: kill TERM', id: '<app#0>' }, ['POST /containers/a0/kill?signal=TERM']],
    [{ action: 'engine: stop 3', container: 'app' }, ['POST /containers/a1/stop?t=3']],
    [{ action: 'engine: restart', container: 'app' }, ['POST /containers/a1/restart']],
    [{ action: 'engine: pause', container: 'app' }, ['POST /containers/a1/pause']],
    [{ action: 'engine: remove force', container: 'app', id: '<app#1>' }, ['DELETE /containers/a1?force=1&v=1']],
    [{ action: 'kubelet: restart' }, ['stop', 'start']],
    [{ action: 'kubelet stopped' }, ['stop']],
    [{ action: 'kubelet started' }, ['start']],
  ])('performs %j', async (action, done) => {
    expect(await doneFor(action)).toEqual(done);
  });

  it.each([
    [{ action: 'engine: teleport', container: 'app' }, 'the action "engine: teleport" is unknown'],
    [{ action: 'node: reboot' }, 'the action "node: reboot" is unknown'],
    [{ action: 'engine: kill KILL', id: '<app#7>' }, 'engine: kill KILL: there is no container <app#7> here'],
  ])('rejects %j with the reason', async (action, message) => {
    await expect(doneFor(action)).rejects.toThrow(message);
  });
});
