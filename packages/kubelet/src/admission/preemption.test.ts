/** Tests which pods are evicted for a critical pod. */
import type { Pod } from '@podscope/k8s';
import { sleep } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import type { Measure } from '../metrics/measures.ts';
import { KubeletHarness, newPod } from '../testing/kubelet-harness.ts';
import { getPodsToPreempt } from './preemption.ts';

const resources = (cpu?: string, memory?: string, guaranteed = false): object => {
  const requests = { ...(cpu ? { cpu } : {}), ...(memory ? { memory } : {}) };
  return { requests, ...(guaranteed ? { limits: requests } : {}) };
};
const pod = (name: string, priority: number | undefined, given: object = {}): Pod =>
  newPod(name, { priority, containers: [{ name: 'app', image: 'busybox', resources: given }] });
const critical = 2_000_000_000;

describe('getPodsToPreempt', () => {
  const wanted = pod('critical', critical);
  it.each<[string, readonly Pod[], readonly { resource: string; missing: number }[], readonly string[]]>([
    ['no pod when no resource is missing', [pod('a', 0, resources('1'))], [], []],
    [
      'the pod whose resources are closest to the missing ones',
      [pod('a', 0, resources('3')), pod('b', 0, resources('1'))],
      [{ resource: 'cpu', missing: 1000 }],
      ['b'],
    ],
    [
      'of two pods equally close, the one with less memory',
      [pod('a', 0, resources('1', '2Gi')), pod('b', 0, resources('1', '1Gi'))],
      [{ resource: 'cpu', missing: 1000 }],
      ['b'],
    ],
    [
      'as many pods as are necessary',
      [pod('a', 0, resources('1')), pod('b', 0, resources('1'))],
      [{ resource: 'cpu', missing: 1500 }],
      ['a', 'b'],
    ],
    [
      'a guaranteed pod only when burstable pods free too little',
      [pod('g', 0, resources('1', '1Gi', true)), pod('b', 0, resources('1'))],
      [{ resource: 'cpu', missing: 1000 }],
      ['b'],
    ],
    [
      'a best-effort pod for a place',
      [pod('g', 0, resources('1')), pod('e', 0)],
      [{ resource: 'pods', missing: 1 }],
      ['e'],
    ],
    [
      'never another critical pod',
      [pod('c', critical, resources('1')), pod('b', 0, resources('1'))],
      [{ resource: 'cpu', missing: 500 }],
      ['b'],
    ],
  ])('takes %s', (_, others, missing, expected) => {
    expect(getPodsToPreempt(wanted, others, missing).map(({ metadata }) => metadata.name)).toEqual(expected);
  });

  it('returns no victims when evicting all pods is not enough', () => {
    expect(() => getPodsToPreempt(wanted, [pod('a', 0, resources('1'))], [{ resource: 'cpu', missing: 1500 }])).toThrow(
      'preemption: error finding a set of pods to preempt: no set of running pods found to reclaim ' +
        'resources: [(res: cpu, q: 500), ]',
    );
  });
});

describe.each(['v1.36', 'v1.20'] as const)('admission of %s', (profile) => {
  let harness: KubeletHarness;
  afterEach(() => harness.stop());
  const start = async (...pods: readonly Pod[]): Promise<void> => {
    harness = new KubeletHarness({ profile });
    await harness.start();
    // Before the first housekeeping, v1.36 treats every pod as a pod that may run, and doesn't change its phase in the
    // API.
    await harness.until(3);
    for (const each of pods) harness.api.apply(each);
    await harness.until(4);
  };
  const measuredPreemptions = (): readonly Measure[] => {
    const taken: Measure[] = [];
    harness.kubelet.measures.subscribe((measure) => void (measure.of === 'preemption' && taken.push(measure)));
    return taken;
  };
  const eventsOf = (name: string): readonly string[] =>
    harness.events.filter((event) => event.pod === name).map(({ at, reason }) => `${at} ${reason}`);

  it('ends the preempted pod within its own grace period, then starts the critical pod', async () => {
    harness = new KubeletHarness({ profile });
    const preemptions = measuredPreemptions();
    harness.runtime.scripts.set('app', { stopAfterMs: 60_000 });
    await harness.start();
    harness.api.apply(pod('small', 0, resources('1')));
    const large = pod('large', 0, resources('3'));
    harness.api.apply({ ...large, spec: { ...large.spec, terminationGracePeriodSeconds: 4 } });
    await harness.until(3);
    harness.api.apply(pod('critical', critical, resources('2')));
    await harness.until(9);
    expect(eventsOf('large')).toEqual(['3 Preempting']);
    expect(eventsOf('small')).toEqual([]);
    expect(harness.runtime.calls.filter((call) => call.includes('kill'))).toEqual(['3.0 kill large_default grace=4']);
    // The sync loop blocks until the preempted pod has terminated.
    expect(harness.runtime.calls.find((call) => call.endsWith('sandbox critical'))).toBe('7.0 sandbox critical');
    const status = { phase: 'Failed', reason: 'Preempting', message: 'Preempted in order to admit critical pod' };
    const disruption = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
      message: 'Pod was preempted by Kubelet to accommodate a critical pod.',
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:00:07Z',
    };
    const expected: Readonly<Record<typeof profile, unknown>> = {
      'v1.36': expect.objectContaining({ ...status, conditions: expect.arrayContaining([disruption]) as unknown }),
      'v1.20': { ...status, conditions: [], startTime: '2026-01-01T00:00:00Z' },
    };
    expect(harness.status('large')).toEqual(expected[profile]);
    expect(preemptions).toEqual([{ of: 'preemption', resource: 'cpu' }]);
  });

  it('admits the critical pod only in v1.36 when the termination of the preempted pod times out', async () => {
    harness = new KubeletHarness({ profile });
    const preemptions = measuredPreemptions();
    await harness.start();
    harness.api.apply(pod('large', 0, resources('3')));
    await harness.until(3);
    harness.runtime.killPod = ({ clock, signal }) => sleep(clock, 3_600_000, signal);
    harness.api.apply(pod('critical', critical, resources('2')));
    await harness.until(50);
    expect(eventsOf('large')).toEqual(['3 Preempting', '48 ExceededGracePeriod']);
    expect(eventsOf('critical')).toEqual(profile === 'v1.36' ? [] : ['48 UnexpectedAdmissionError']);
    const messages = {
      'v1.36': undefined,
      'v1.20':
        'Pod Unexpected error while attempting to recover from admission failure: ' +
        'preemption: pod large_default(uid-large) failed to evict timeout waiting to kill pod',
    };
    expect(harness.status('critical').message).toBe(messages[profile]);
    expect(preemptions).toEqual([]);
  });

  it('rejects a critical pod when evicting every other pod frees too little', async () => {
    await start(pod('other', critical, resources('3')), pod('critical', critical, resources('2')));
    expect(eventsOf('critical')).toEqual(['3 UnexpectedAdmissionError']);
    expect(harness.status('critical')).toMatchObject({ phase: 'Failed', reason: 'UnexpectedAdmissionError' });
    expect(harness.status('critical').message).toContain(
      'Unexpected error while attempting to recover from admission failure: preemption: ',
    );
  });

  it('rejects an ordinary pod, and creates no worker for it', async () => {
    await start(pod('other', 0, resources('3')), pod('late', 0, resources('2')));
    const message = "Node didn't have enough resource: cpu, requested: 2000, used: 3000, capacity: 4000";
    expect(harness.events.filter((event) => event.pod === 'late')).toMatchObject([
      { at: 3, type: 'Warning', reason: 'OutOfcpu', message },
    ]);
    expect(harness.status('late')).toMatchObject({
      phase: 'Failed',
      reason: 'OutOfcpu',
      message: `Pod ${profile === 'v1.36' ? 'was rejected: ' : ''}${message}`,
    });
    expect(harness.runtime.calls.some((call) => call.includes('late'))).toBe(false);
  });

  it.each<[string, Pod, string, Record<'v1.36' | 'v1.20', string>]>([
    [
      'an unsafe sysctl',
      newPod('web', { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } }),
      'SysctlForbidden',
      {
        'v1.36': 'forbidden sysctl: "kernel.msgmax" not allowlisted',
        'v1.20': 'forbidden sysctl: "kernel.msgmax" not whitelisted',
      },
    ],
    [
      'another node selector',
      newPod('web', { nodeSelector: { disk: 'hdd' } }),
      'NodeAffinity',
      {
        'v1.36': "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
        'v1.20': 'Predicate NodeAffinity failed',
      },
    ],
  ])('refuses %s in the words of the release', async (_, given, reason, messages) => {
    await start(given);
    expect(harness.events).toMatchObject([{ at: 3, reason, message: messages[profile] }]);
  });

  it('checks the operating system only in v1.36', async () => {
    await start(newPod('web', { os: { name: 'windows' } }));
    expect(harness.events.map(({ reason }) => reason)).toEqual(profile === 'v1.36' ? ['PodOSNotSupported'] : []);
  });
});
