import type { Pod } from '@podscope/k8s';
import { kubeletProfiles } from '@podscope/kubelet';
import type { Profile } from '@podscope/kuberuntime';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Replayed, replay } from '../recording/replay.ts';
import { exportSync, figuresOf } from '../report.ts';
import type { SyncReport } from '../sync-judge.ts';
import { recordedSession, sessions } from '../testing/recordings.ts';

type Container = Pod['spec']['containers'][number];

const countedOf = ({ syncs }: Replayed): readonly SyncReport[] => syncs.filter(({ judged }) => judged.counts);

describe.each([
  ['with spans', 'spans'],
  ['with trace ids alone', 'traceIds'],
  ['without tracing', 'none'],
] as const)('the shadow engine on recorded syncs, %s', (_name, tracing) => {
  const replays: Replayed[] = [];

  beforeAll(async () => {
    for (const session of sessions) replays.push(await replay(recordedSession(session), { tracing }));
  });

  it('agrees with at least 99 % of the syncs that write, and knows the inputs of at least 95 %', () => {
    const { counted, agreement, unknownRate } = figuresOf(replays.flatMap(({ syncs }) => syncs));
    expect(counted).toBeGreaterThanOrEqual(105);
    expect(agreement).toBeGreaterThanOrEqual(0.99);
    expect(unknownRate).toBeLessThanOrEqual(0.05);
  });

  it('reports as unknown only the syncs that an httpGet probe decided', () => {
    const unknown = replays.flatMap(countedOf).filter(({ judged }) => judged.verdict !== 'agrees');
    expect(unknown.map(({ sync, judged }) => [sync.pod.name, judged.missing?.input])).toEqual(
      Array.from({ length: 3 }, () => ['liveness-http-twin-node', 'probeResult']),
    );
  });

  it('finds the same syncs of each pod', () => {
    const counts = new Map<string, number>();
    for (const { sync } of replays.slice(0, 1).flatMap(countedOf))
      counts.set(sync.pod.name, (counts.get(sync.pod.name) ?? 0) + 1);
    expect(Object.fromEntries(counts)).toEqual({
      'crash-exit1-twin-node': expect.any(Number) as number,
      'pull-fail-twin-node': expect.any(Number) as number,
      'restart-rules-twin-node': expect.any(Number) as number,
      'liveness-exec-twin-node': expect.any(Number) as number,
      'liveness-http-twin-node': expect.any(Number) as number,
      'kill-sandbox-twin-node': expect.any(Number) as number,
      'edit-in-place-twin-node': expect.any(Number) as number,
      'sidecar-always-twin-node': expect.any(Number) as number,
      'never-failure-twin-node': expect.any(Number) as number,
      'init-ok-twin-node': expect.any(Number) as number,
      'happy-one-twin-node': expect.any(Number) as number,
      'prestop-exec-twin-node': expect.any(Number) as number,
    });
    expect([...counts.values()].reduce((sum, each) => sum + each, 0)).toBe(46);
  });
});

describe('the shadow engine with a broken rule', () => {
  const broken: Readonly<Record<string, (profile: Profile) => Profile>> = {
    'a container hash that ignores the image': (profile) => ({
      ...profile,
      hashContainer: (container) => profile.hashContainer({ ...container, image: 'x' }),
    }),
    'a back-off that starts over with every start': (profile) => ({
      ...profile,
      backOffKey: () => String(Math.random()),
    }),
    'a grace period that is always a minute': (profile) => ({ ...profile, gracePeriod: () => 60 }),
    'sandboxes that are never created': (profile) => ({
      ...profile,
      computePodActions: (...args) => ({ ...profile.computePodActions(...args), createSandbox: false }),
    }),
  };

  it.each(Object.keys(broken))('agrees less with %s', async (name) => {
    const { syncs } = await replay(recordedSession('a'), { alter: broken[name] });
    expect(figuresOf(syncs).agreement).toBeLessThan(0.99);
  });
});

describe('an exported difference', () => {
  it('has the inputs, the predictions and the calls of the sync', async () => {
    const alter = (profile: Profile): Profile => ({ ...profile, gracePeriod: () => 60 });
    const { syncs } = await replay(recordedSession('d'), { alter });
    const report = syncs.find(({ judged }) => judged.verdict === 'differs');
    expect(report && exportSync(report)).toMatchObject({
      verdict: 'differs',
      profile: kubeletProfiles['v1.36'].name,
      differences: [
        { side: 'predicted', call: expect.stringMatching(/^StopContainer [\da-f]{12} within 60 s$/) as string },
        { side: 'observed', call: expect.stringMatching(/^StopContainer/) as string },
      ],
      podStatus: { containerStatuses: [{ state: 'running' }] },
    });
  });
});

describe('the shadow engine on kills by an httpGet liveness probe', () => {
  /** Returns the verdicts on the pod's kills if its probe had this threshold. */
  async function verdicts(failureThreshold: number): Promise<readonly SyncReport['judged'][]> {
    const recording = recordedSession('a');
    const patched = (container: Container): Container =>
      container.livenessProbe?.httpGet
        ? { ...container, livenessProbe: { ...container.livenessProbe, failureThreshold } }
        : container;
    const pods = recording.pods.map(({ t, pods: answer }) => ({
      t,
      pods: answer.map((pod) => ({ ...pod, spec: { ...pod.spec, containers: pod.spec.containers.map(patched) } })),
    }));
    const { syncs } = await replay({ ...recording, pods });
    return syncs
      .filter(({ sync, judged }) => sync.pod.name.startsWith('liveness-http') && judged.verdict !== 'agrees')
      .map(({ judged }) => judged);
  }

  it('infers the failure if the container ran long enough for it, and names the numbers', async () => {
    const judged = await verdicts(2);
    expect(judged.map(({ verdict }) => verdict)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(judged[0]?.missing?.detail).toMatch(/^liveness probe of app: failure, inferred from the kill, .* 2 and /);
  });

  it.each([
    ['agrees', 2],
    ['unknown', 1],
  ] as const)('%s if the metrics of the kubelet show %i of 2 failures', async (verdict, failures) => {
    const recording = recordedSession('a');
    const isKill = ({ sync, calls }: SyncReport): boolean =>
      sync.pod.name.startsWith('liveness-http') && calls[0]?.method === 'StopContainer';
    const kills = (await replay(recording)).syncs.filter(isKill).map(({ sync }) => sync);
    const uid = kills[0]?.pod.uid ?? '';
    // The probe fails every two seconds until the kill. The metric is absent before its first attempt.
    const attempts = kills.flatMap(({ start }) => [start - 2_010, start - 10].slice(-failures));
    const probeCounts = Array.from({ length: 240 }, (_, index) => {
      const t = recording.startedAt + 500 * index;
      const failed = attempts.filter((at) => at <= t).length;
      const count = { probe: 'liveness', uid, container: 'app', successful: 0, failed } as const;
      return { t, counts: failed > 0 ? [count] : [] };
    });
    const { syncs } = await replay({ ...recording, probeCounts });
    expect(syncs.filter(isKill).map(({ judged }) => judged.verdict)).toEqual([verdict, verdict, verdict]);
  });

  it('reports a difference if the probe cannot have failed often enough', async () => {
    const judged = await verdicts(100);
    expect(judged.map(({ verdict }) => verdict)).toContain('differs');
    expect(judged.map(({ missing }) => missing?.input)).not.toContain('probeResult');
  });
});

describe('the shadow engine on a pod whose earlier containers left log files', () => {
  it('reports the attempt as unknown, because the kubelet counts it from the log files', async () => {
    const recording = recordedSession('d');
    const first = recording.calls.findIndex(
      ({ method, request }) => method === 'CreateContainer' && JSON.stringify(request).includes('steady'),
    );
    const calls = recording.calls.map((call, index) => {
      if (index !== first) return call;
      const config = { ...(call.request?.['config'] as object), metadata: { name: 'app', attempt: 3 } };
      return { ...call, request: { ...call.request, config } };
    });
    const { syncs } = await replay({ ...recording, calls });
    const sync = syncs.find(({ calls: made }) => made.some(({ number }) => number === first + 1));
    expect(sync?.judged).toMatchObject({
      verdict: 'unknown',
      missing: { input: 'stateBefore', detail: 'log files of earlier containers: app' },
    });
  });
});
