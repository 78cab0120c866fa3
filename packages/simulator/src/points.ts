/** The steps of the simulated RunPodSandbox: those of dockershim's that mean something here. */
import type { Point } from '@podscope/trace';

const step = (number: number, id: string, title: string, description: string): Point => ({
  id: `simulator.${id}`,
  kind: 'criStep',
  step: number,
  title,
  description,
  upstream: 'dockerService.RunPodSandbox',
});

export const runPodSandboxSteps = {
  ensureSandboxImage: step(1, 'ensureSandboxImage', 'Ensure the sandbox image', 'Looks for the pause image and pulls it if it is absent.'),
  createSandboxContainer: step(2, 'createSandboxContainer', 'Create the sandbox container', "Creates the container that holds the pod's namespaces."),
  startSandboxContainer: step(3, 'startSandboxContainer', 'Start the sandbox container', 'Starts its pause process.'),
  setUpSandboxNetwork: step(4, 'setUpSandboxNetwork', 'Set up networking', 'Lets the network plugin connect the pod; nothing to do on the host network.'),
} as const satisfies Record<string, Point>;

/** All points of this package. */
export const simulatorPoints: readonly Point[] = Object.values(runPodSandboxSteps);
