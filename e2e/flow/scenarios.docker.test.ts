/** What becomes of the teaching pods on a real Docker engine: side by side on one node, each until it is what the library says. */
import { type ContainerStatus, type Pod, parseManifests } from '@podscope/k8s';
import { type DockerOutcome, type Scenario, scenarios } from '@podscope/scenarios';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { containerStatus } from '../support/kube-api.ts';
import { type Podscope, startPodscope } from '../support/podscope.ts';

interface Expected extends Scenario {
  readonly docker: DockerOutcome;
}

const expected = scenarios.filter((scenario): scenario is Expected => scenario.docker !== undefined);

let podscope: Podscope;

beforeAll(async () => {
  podscope = await startPodscope({ runtime: 'docker', args: ['--allow-host-namespaces', '--no-build'] });
});

afterAll(async () => {
  await podscope.stop();
});

async function apply({ manifest }: Scenario): Promise<void> {
  const { objects, errors } = parseManifests(manifest);
  expect(errors).toEqual([]);
  for (const { object } of objects) await podscope.api.create(object as Parameters<typeof podscope.api.create>[0]);
}

const reasonOf = ({ state }: ContainerStatus): string | undefined => state?.waiting?.reason ?? state?.terminated?.reason;
const exitCodeOf = ({ state, lastState }: ContainerStatus): number | undefined => (state?.terminated ?? lastState?.terminated)?.exitCode;

/** True when the pod has become what it should. */
function fits(pod: Pod | undefined, { phase, container }: DockerOutcome): boolean {
  if (pod?.status?.phase !== phase) return false;
  if (!container) return true;
  const status = containerStatus(pod, container.name);
  if (!status) return false;
  return (
    (container.reason === undefined ? status.state?.running !== undefined || container.restarts !== 0 : reasonOf(status) === container.reason) &&
    status.restartCount >= (container.restarts ?? 0) &&
    (container.exitCode === undefined || exitCodeOf(status) === container.exitCode)
  );
}

describe('on Docker, as the library says', () => {
  // A few at a time: most of the time of each is waiting, for a probe or for a back-off.
  it.concurrent.each(expected)('$id', { timeout: 600_000 }, async (scenario) => {
    const { id, docker } = scenario;
    const name = docker.pod ?? id;
    await apply(scenario);
    const pod = await podscope.api.waitForPod(name, JSON.stringify(docker), (seen) => fits(seen, docker), 580_000);
    expect(fits(pod, docker)).toBe(true);
    await podscope.api.deletePod({ name }, 1);
  });
});
