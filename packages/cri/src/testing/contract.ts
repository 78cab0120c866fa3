/**
 * Defines the contract of a container runtime as a test suite. It runs against every CRI implementation: the simulator
 * on virtual time, and dockershim on a real engine. The suite tests the behavior on which the kubelet relies.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CriError } from '../error.ts';
import { describeContainerLife } from './contract/container-life.ts';
import { describeContainerSetup } from './contract/container-setup.ts';
import { describeEvents } from './contract/events.ts';
import { describeExec } from './contract/exec.ts';
import { describeImages } from './contract/images.ts';
import { describeLogFiles } from './contract/log-files.ts';
import { describeLogs } from './contract/logs.ts';
import { describeMetrics } from './contract/metrics.ts';
import { describeNamespaces } from './contract/namespaces.ts';
import { describeRuntimeLists } from './contract/runtime-lists.ts';
import { describeSandboxes } from './contract/sandboxes.ts';
import { describeSecurity } from './contract/security.ts';
import { describeStats } from './contract/stats.ts';
import { describeStreams } from './contract/streams.ts';
import type { ContractEnvironment, ContractFeatures } from './environment.ts';
import { Scene } from './scene.ts';
import { SharedPod } from './shared-pod.ts';

export { type ContractEnvironment, type ContractFeatures, nothingBetween, type PlaceBetween } from './environment.ts';

/** Declares the suite for one runtime; `setup` is called once. */
export function describeCriContract(
  name: string,
  setup: () => Promise<ContractEnvironment>,
  features: ContractFeatures = {},
): void {
  describe(`CRI contract: ${name}`, () => {
    const shared = new SharedPod();
    let environment: ContractEnvironment;
    let current: Scene;
    const scene = (): Scene => current;

    beforeAll(async () => {
      environment = await setup();
    });
    beforeEach(() => {
      current = new Scene(environment, shared);
    });
    afterEach(() => current.tearDown());
    afterAll(async () => {
      const pod = await shared.running?.catch(() => undefined);
      if (pod) await environment.runtime.runtime.removePodSandbox(environment.ctx(), { podSandboxId: pod.id });
      await environment?.cleanup();
    });

    describe('runtime', () => {
      it('returns its version', async () => {
        const version = await scene().runtime.version(scene().ctx(), {});
        expect(version).toEqual({
          version: expect.stringMatching(/./),
          runtimeName: expect.stringMatching(/./),
          runtimeVersion: expect.stringMatching(/./),
          runtimeApiVersion: expect.stringMatching(/./),
        });
      });

      it('is ready together with its network', async () => {
        const { status } = await scene().runtime.status(scene().ctx(), {});
        const conditions = Object.fromEntries(status.conditions.map((condition) => [condition.type, condition.status]));
        expect(conditions).toMatchObject({ RuntimeReady: true, NetworkReady: true });
      });

      it('returns its cgroup driver if it implements RuntimeConfig', async () => {
        const answer = await scene()
          .runtime.runtimeConfig(scene().ctx(), {})
          .then(({ linux }) => linux.cgroupDriver)
          .catch((error: CriError) => error.code);
        expect(features.runtimeConfig === false ? ['Unimplemented'] : ['SYSTEMD', 'CGROUPFS']).toContain(answer);
      });
    });

    describeRuntimeLists(scene, features);
    describeSandboxes(scene, features);
    describeNamespaces(scene);
    describeSecurity(scene);
    describeContainerSetup(scene);
    describeContainerLife(scene, features);
    describeExec(scene);
    describeLogs(scene);
    describeLogFiles(scene, features);
    describeStreams(scene, features);
    describeImages(scene, features);
    describeStats(scene, features);
    describeMetrics(scene, features);
    describeEvents(scene, features);
  });
}
