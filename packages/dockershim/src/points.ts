/** The points of dockershim: the steps of RunPodSandbox and every call of the Docker Engine. */
import type { Point } from '@podscope/trace';
import type { DockerOperation } from './docker/port.ts';

const step = (number: number, id: string, title: string, description: string): Point => ({
  id: `dockershim.${id}`,
  kind: 'criStep',
  step: number,
  title,
  description,
  upstream: 'dockerService.RunPodSandbox',
});

/** The five steps of RunPodSandbox. Upstream: docker_sandbox.go RunPodSandbox (v1.20). */
export const runPodSandboxSteps = {
  ensureSandboxImage: step(1, 'ensureSandboxImage', 'Ensure the sandbox image', 'Looks for the pause image and pulls it if it is absent.'),
  createSandboxContainer: step(2, 'createSandboxContainer', 'Create the sandbox container', "Creates the container that holds the pod's namespaces."),
  createSandboxCheckpoint: step(
    3,
    'createSandboxCheckpoint',
    'Write the checkpoint',
    'Keeps name, ports and network mode on disk, should the container get lost.',
  ),
  startSandboxContainer: step(4, 'startSandboxContainer', 'Start the sandbox container', 'Starts it and writes its resolv.conf.'),
  setUpSandboxNetwork: step(5, 'setUpSandboxNetwork', 'Set up networking', 'Lets the network plugin connect the pod; nothing to do on the host network.'),
} as const satisfies Record<string, Point>;

const call = (method: string): Point => ({ id: `docker.${method}`, kind: 'docker', title: method });

/** A point for each call of the Docker Engine. */
export const dockerPoints: Readonly<Record<DockerOperation, Point>> = {
  version: call('Version'),
  info: call('Info'),
  diskUsage: call('DiskUsage'),
  listContainers: call('ListContainers'),
  inspectContainer: call('InspectContainer'),
  createContainer: call('CreateContainer'),
  startContainer: call('StartContainer'),
  stopContainer: call('StopContainer'),
  removeContainer: call('RemoveContainer'),
  updateContainer: call('UpdateContainerResources'),
  containerStats: call('Stats'),
  createExec: call('CreateExec'),
  startExec: call('StartExec'),
  inspectExec: call('InspectExec'),
  startExecAttached: call('StartExec'),
  attach: call('Attach'),
  resizeExec: call('ResizeExec'),
  resizeContainer: call('ResizeContainer'),
  listImages: call('ListImages'),
  inspectImage: call('InspectImage'),
  pullImage: call('PullImage'),
  removeImage: call('RemoveImage'),
};

const plugin = (command: string, description: string): Point => ({ id: `cni.${command}`, kind: 'cni', title: command, description });

/** A point for each command of a CNI plugin. */
export const cniPoints = {
  ADD: plugin('ADD', "Connects the pod's network namespace."),
  DEL: plugin('DEL', 'Takes back what ADD set up.'),
  CHECK: plugin('CHECK', 'Compares what is there with what ADD set up.'),
  STATUS: plugin('STATUS', 'Asks whether the network is ready for pods.'),
  VERSION: plugin('VERSION', 'Asks which versions of the specification the plugin knows.'),
} as const satisfies Record<string, Point>;

/** Finds out once what the engine cannot do. */
export const probeEnginePoint: Point = {
  id: 'dockershim.probeOomScore',
  kind: 'criStep',
  title: 'Probe the engine for negative OOM scores',
  description: 'Starts a throw-away container to learn whether this engine may protect processes from the OOM killer.',
};

/** Finds out once which capabilities the engine lacks. */
export const probeCapabilitiesPoint: Point = {
  id: 'dockershim.probeCapabilities',
  kind: 'criStep',
  title: 'Probe the engine for its capabilities',
  description: 'Starts throw-away containers to learn what "all capabilities" can mean on this engine.',
};

/** All points of this package. */
export const dockershimPoints: readonly Point[] = [
  ...Object.values(runPodSandboxSteps),
  probeEnginePoint,
  probeCapabilitiesPoint,
  ...Object.values(dockerPoints),
  ...Object.values(cniPoints),
];
