/** Checks properties of computePodActions that hold for every pod and state. The recordings check exact decisions. */
import type { PodSandboxStatus } from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import { background, EventLog, instant, Tracer, VirtualClock } from '@podscope/trace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runtimeGates } from '../profiles/gates.ts';
import { profileV120 } from '../profiles/v1-20/profile.ts';
import { profileV136 } from '../profiles/v1-36/profile.ts';
import { ActuatedResources } from '../resize/actuated-resources.ts';
import { formatContainerID, type PodStatus, type ProbeResult, type State } from '../runtime.ts';
import type { Profile } from '../runtime-dependencies.ts';
import { testPod, testPodStatus, testStatus } from '../testing/test-stage.ts';
import type { PodActions } from './pod-actions.ts';

const states = ['created', 'running', 'exited', 'unknown'] as const satisfies readonly State[];

interface Situation {
  readonly pod: Pod;
  readonly podStatus: PodStatus;
  readonly liveness: ReadonlyMap<string, ProbeResult>;
}

const sandbox = (attempt: number, ready: boolean): PodSandboxStatus => ({
  id: `sandbox-${attempt}`,
  metadata: { name: 'web', uid: 'uid-1', namespace: 'default', attempt },
  state: ready ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY',
  createdAt: BigInt(attempt),
  network: { ip: '10.0.0.1' },
  labels: {},
  annotations: {},
});

interface Shape {
  readonly state: State | 'none';
  readonly exitCode: number;
  readonly changed: boolean;
  readonly liveness: ProbeResult | 'none';
  readonly sidecar: boolean;
}

const shape: fc.Arbitrary<Shape> = fc.record({
  state: fc.constantFrom('none' as const, ...states),
  exitCode: fc.constantFrom(0, 1, 137),
  changed: fc.boolean(),
  liveness: fc.constantFrom('none' as const, 'success' as const, 'failure' as const, 'unknown' as const),
  sidecar: fc.boolean(),
});

/** Generates pods in arbitrary states. */
const situationOf = (profile: Profile): fc.Arbitrary<Situation> =>
  fc
    .record({
      init: fc.array(shape, { maxLength: 3 }),
      regular: fc.array(shape, { minLength: 1, maxLength: 3 }),
      restartPolicy: fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const),
      sandboxes: fc.array(fc.boolean(), { maxLength: 2 }),
      deleted: fc.boolean(),
    })
    .map(({ init, regular, restartPolicy, sandboxes, deleted }) => {
      const shapes = [
        ...init.map((one, index) => ({ ...one, name: `init-${index}` })),
        ...regular.map((one, index) => ({ ...one, name: `app-${index}` })),
      ];
      const containerOf = ({ name, sidecar }: (typeof shapes)[number], isInit: boolean): Container => ({
        name,
        image: 'busybox:1.36',
        ...(isInit && sidecar && profile.name === 'v1.36' ? { restartPolicy: 'Always' } : {}),
      });
      const initContainers = shapes.slice(0, init.length).map((one) => containerOf(one, true));
      const containers = shapes.slice(init.length).map((one) => containerOf(one, false));
      const pod = testPod(
        { initContainers, containers, restartPolicy },
        deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {},
      );
      const byName = new Map([...initContainers, ...containers].map((container) => [container.name, container]));
      const statuses = shapes.flatMap(({ name, state, exitCode, changed }) => {
        const container = byName.get(name);
        if (state === 'none' || !container) return [];
        const hash = changed ? 1 : profile.hashContainer(container);
        return [testStatus(name, { state, hash, exitCode: state === 'exited' ? exitCode : 0, finishedAt: instant(0) })];
      });
      const sandboxStatuses = sandboxes.map((ready, index) => sandbox(sandboxes.length - index, ready));
      const liveness = new Map(
        shapes.flatMap(({ name, liveness: result }) => (result === 'none' ? [] : [[`${name}-1`, result] as const])),
      );
      return { pod, podStatus: testPodStatus(statuses, { sandboxStatuses }), liveness };
    });

const decide = (profile: Profile, { pod, podStatus, liveness }: Situation, tracer = new Tracer()): PodActions =>
  profile.computePodActions(
    background(new VirtualClock(), tracer),
    {
      gates: runtimeGates(profile.gates),
      liveness: { get: ({ id }) => liveness.get(id) },
      startup: { get: () => undefined },
      actuated: new ActuatedResources(),
      hashContainer: profile.hashContainer,
    },
    pod,
    podStatus,
    false,
  );

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) deepFreeze(inner);
    Object.freeze(value);
  }
  return value;
}

const runningNames = ({ containerStatuses }: PodStatus): ReadonlySet<string> =>
  new Set(containerStatuses.filter(({ state }) => state === 'running').map(({ name }) => name));

describe.each([profileV120, profileV136])('computePodActions $name', (profile) => {
  const situation = situationOf(profile);

  it('is pure: returns the same result twice for frozen inputs, whatever the tracer', () => {
    fc.assert(
      fc.property(situation, (given) => {
        deepFreeze(given.pod);
        deepFreeze(given.podStatus);
        const first = decide(profile, given);
        expect(decide(profile, given)).toEqual(first);
        expect(decide(profile, given, new Tracer({ append: () => undefined }))).toEqual(first);
      }),
    );
  });

  it('starts a running container only after killing it', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const { killPod, createSandbox, containersToStart, initContainersToStart, containersToKill } = decide(
          profile,
          given,
        );
        fc.pre(!killPod && !createSandbox);
        const killed = new Set([...containersToKill.values()].map(({ name }) => name));
        const running = runningNames(given.podStatus);
        const { initContainers = [], containers } = given.pod.spec;
        const started = [
          ...containersToStart.map((index) => containers[index]),
          ...initContainersToStart.map((index) => initContainers[index]),
        ];
        expect(
          started.filter((container) => container && running.has(container.name) && !killed.has(container.name)),
        ).toEqual([]);
      }),
    );
  });

  it('kills only existing containers and starts each container once', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const { containersToStart, initContainersToStart, containersToKill } = decide(profile, given);
        const known = new Set(given.podStatus.containerStatuses.map(({ id }) => formatContainerID(id)));
        for (const id of containersToKill.keys()) expect(known).toContain(id);
        for (const indices of [containersToStart, initContainersToStart])
          expect(new Set(indices).size).toBe(indices.length);
      }),
    );
  });

  it('starts nothing in a pod that it kills without a new sandbox', () => {
    fc.assert(
      fc.property(situation, (given) => {
        const { killPod, createSandbox, containersToStart, initContainersToStart, nextInitContainerToStart } = decide(
          profile,
          given,
        );
        fc.pre(killPod && !createSandbox);
        expect([containersToStart, initContainersToStart, nextInitContainerToStart]).toEqual([[], [], undefined]);
      }),
    );
  });

  it('does nothing for a settled pod', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('Always' as const, 'OnFailure' as const, 'Never' as const),
        (count, restartPolicy) => {
          const containers = Array.from({ length: count }, (_, index) => ({
            name: `app-${index}`,
            image: 'busybox:1.36',
          }));
          const statuses = containers.map((container) =>
            testStatus(container.name, { hash: profile.hashContainer(container) }),
          );
          const podStatus = testPodStatus(statuses, { sandboxStatuses: [sandbox(0, true)] });
          const actions = decide(profile, {
            pod: testPod({ containers, restartPolicy }),
            podStatus,
            liveness: new Map(),
          });
          expect(actions).toMatchObject({
            killPod: false,
            createSandbox: false,
            containersToStart: [],
            initContainersToStart: [],
            containersToReset: [],
          });
          expect(actions.containersToKill.size).toBe(0);
        },
      ),
    );
  });

  it('reports which rule decided and the facts that the rule saw', () => {
    const [app] = testPod().spec.containers;
    const status = testStatus('app', { hash: 1 });
    const log = new EventLog(new VirtualClock());
    const podStatus = testPodStatus([status], { sandboxStatuses: [sandbox(0, true)] });
    decide(profile, { pod: testPod(), podStatus, liveness: new Map() }, new Tracer(log));
    const decisive = log.after(0).flatMap((event) => (event.type === 'decision' && event.decisive ? [event] : []));
    expect(decisive).toContainEqual(
      expect.objectContaining({
        rule: 'computePodActions.containerChanged',
        facts: expect.objectContaining({
          container: 'app',
          hash: '1',
          hashOfSpec: app && profile.hashContainer(app).toString(16),
        }),
        outcome: 'kill it: Container app definition changed',
      }),
    );
  });
});
