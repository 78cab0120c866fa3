/**
 * Runs the same pods with Podscope's own kubelet on the simulator, without and with the relay, and compares each pod's
 * calls: the same calls in the same order, with the same results.
 */
import { isRecord } from '@podscope/base';
import { nothingBetween, type PlaceBetween } from '@podscope/cri/testing';
import { simulatorOverGrpc } from '@podscope/simulated-runtime/testing';
import { expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
import { observedRelay } from './testing/observed-relay.ts';
import { podShape } from './testing/observed-simulator.ts';

const collection = '/api/v1/namespaces/default/pods';
const image = 'busybox:1.36';
const sh = (script: string): string[] => ['sh', '-c', script];
const forever = ['sleep', '360000'];
/** Fails with 3 in the first attempt, and runs in the second one. The first restart has no back-off. */
const failsOnce = sh('test -f /data/ran && sleep 360000; touch /data/ran; exit 3');

interface Case {
  readonly spec: object;
  /** The pod's state in which it is deleted. */
  readonly until: object;
}

const cases: Readonly<Record<string, Case>> = {
  'init containers and a restart': {
    spec: {
      volumes: [{ name: 'data', emptyDir: {} }],
      initContainers: [
        { name: 'first', image, command: sh('echo one') },
        { name: 'second', image, command: sh('echo two') },
      ],
      containers: [{ name: 'app', image, command: failsOnce, volumeMounts: [{ name: 'data', mountPath: '/data' }] }],
    },
    until: { containerStatuses: [{ restartCount: 1, ready: true }] },
  },
  'hooks that succeed': {
    spec: {
      containers: [
        {
          name: 'app',
          image,
          command: forever,
          lifecycle: {
            postStart: { exec: { command: ['echo', 'started'] } },
            preStop: { exec: { command: ['echo', 'stopping'] } },
          },
        },
      ],
    },
    until: { containerStatuses: [{ ready: true }] },
  },
  'a hook that fails': {
    spec: {
      restartPolicy: 'Never',
      containers: [
        {
          name: 'app',
          image,
          command: forever,
          lifecycle: { postStart: { exec: { command: ['false'] } } },
        },
      ],
    },
    until: { phase: 'Failed' },
  },
  'an image that cannot be pulled': {
    spec: { containers: [{ name: 'app', image: 'busybox:does-not-exist', command: forever }] },
    until: { containerStatuses: [{ state: { waiting: { reason: 'ImagePullBackOff' } } }] },
  },
  'a pod that runs to its end': {
    spec: { restartPolicy: 'Never', containers: [{ name: 'app', image, command: sh('sleep 1; exit 0') }] },
    until: { phase: 'Succeeded' },
  },
};

/** The calls that change a pod. Lists and statuses of the node come at any time, as do removals of old containers. */
const compared = [
  'RunPodSandbox',
  'StopPodSandbox',
  'CreateContainer',
  'StartContainer',
  'StopContainer',
  'ExecSync',
  'PullImage',
].map((method) => `cri.${method}`);

/**
 * Returns the pod's calls with their results, as the kubelet saw them. Repeated equal calls count once: the number of
 * probes and of stops of a sandbox depends on the time.
 */
function callsOf({ nodeHost }: TestServer, uid: string): readonly string[] {
  const events = nodeHost.log.after(0);
  const ends = new Map(events.flatMap((event) => (event.type === 'spanEnded' ? [[event.span, event] as const] : [])));
  const lines = events.flatMap((event) => {
    if (event.type !== 'spanStarted' || event.pod !== uid || !compared.includes(event.point)) return [];
    const end = ends.get(event.span);
    const { request } = event.attributes;
    const { config, cmd } = isRecord(request) ? request : {};
    const metadata = isRecord(config) && isRecord(config['metadata']) ? config['metadata'] : {};
    const { reason = '', message = '' } = end?.error ?? {};
    const container = event.point === 'cri.CreateContainer' ? [metadata['name'], metadata['attempt']] : [];
    return [JSON.stringify([event.point, ...container, cmd, end?.outcome, reason, message])];
  });
  return lines.filter((line, index) => line !== lines[index - 1]);
}

/** Runs a pod of each case until its state, deletes it, and returns the calls of each pod. */
async function flows(between: PlaceBetween): Promise<Readonly<Record<string, readonly string[]>>> {
  let endpoint = '';
  const runtime = await simulatorOverGrpc(async (given) => {
    const front = await between(given);
    endpoint = front.endpoint;
    return front;
  });
  let server: TestServer | undefined;
  try {
    const started = await startTestServer(['--runtime', endpoint, '--pod-cgroups', 'off']);
    server = started;
    const run = async (what: string, name: string, { spec, until }: Case): Promise<[string, readonly string[]]> => {
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name },
        spec: { terminationGracePeriodSeconds: 1, ...spec },
      };
      const created = await started.request('POST', collection, { body: pod });
      const { uid } = podShape.parse(created.json).metadata;
      const get = () => started.request('GET', `${collection}/${name}`);
      await expect.poll(async () => (await get()).json, { message: what }).toMatchObject({ status: until });
      await started.request('DELETE', `${collection}/${name}`);
      await expect.poll(async () => (await get()).status, { message: what }).toBe(404);
      return [what, callsOf(started, uid)];
    };
    const all = Object.entries(cases).map(([what, each], index) => run(what, `pod-${index}`, each));
    return Object.fromEntries(await Promise.all(all));
  } finally {
    await server?.dispose();
    await runtime.cleanup();
  }
}

it('the kubelet makes the same calls for each pod with and without the relay', async () => {
  const direct = await flows(nothingBetween);
  for (const calls of Object.values(direct)) expect(calls).not.toEqual([]);
  expect(await flows(observedRelay)).toEqual(direct);
});
