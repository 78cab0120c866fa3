/**
 * The Docker Engine calls and CNI commands, and which CRI calls make them. Upstream: dockershim libdocker, CNI (v1.20).
 */
import type { Level, Step, Steps } from '../level.ts';
import { criCalls } from './cri.ts';
import { engineProbes, runPodSandboxSteps } from './sandbox.ts';

const call = <const Name extends string>(name: Name, upstream: string) =>
  ({ id: `docker.${name}`, kind: 'docker', upstream }) as const;

/** Every Docker Engine call, by dockershim's name for the operation. Upstream is the HTTP request. */
export const dockerCalls = {
  version: call('Version', 'GET /version'),
  info: call('Info', 'GET /info'),
  diskUsage: call('DiskUsage', 'GET /system/df'),
  listContainers: call('ListContainers', 'GET /containers/json'),
  inspectContainer: call('InspectContainer', 'GET /containers/{id}/json'),
  createContainer: call('CreateContainer', 'POST /containers/create'),
  startContainer: call('StartContainer', 'POST /containers/{id}/start'),
  stopContainer: call('StopContainer', 'POST /containers/{id}/stop'),
  removeContainer: call('RemoveContainer', 'DELETE /containers/{id}'),
  updateContainer: call('UpdateContainerResources', 'POST /containers/{id}/update'),
  containerStats: call('Stats', 'GET /containers/{id}/stats'),
  createExec: call('CreateExec', 'POST /containers/{id}/exec'),
  startExec: call('StartExec', 'POST /exec/{id}/start'),
  inspectExec: call('InspectExec', 'GET /exec/{id}/json'),
  startExecAttached: call('StartExec', 'POST /exec/{id}/start'),
  attach: call('Attach', 'POST /containers/{id}/attach'),
  resizeExec: call('ResizeExec', 'POST /exec/{id}/resize'),
  resizeContainer: call('ResizeContainer', 'POST /containers/{id}/resize'),
  listImages: call('ListImages', 'GET /images/json'),
  inspectImage: call('InspectImage', 'GET /images/{name}/json'),
  pullImage: call('PullImage', 'POST /images/create'),
  removeImage: call('RemoveImage', 'DELETE /images/{name}'),
} as const satisfies Steps;

/** Every command of a CNI plugin. */
export const cniCommands = {
  ADD: { id: 'cni.ADD', kind: 'cni', upstream: 'CNI_COMMAND=ADD' },
  DEL: { id: 'cni.DEL', kind: 'cni', upstream: 'CNI_COMMAND=DEL' },
  CHECK: { id: 'cni.CHECK', kind: 'cni', upstream: 'CNI_COMMAND=CHECK' },
  STATUS: { id: 'cni.STATUS', kind: 'cni', upstream: 'CNI_COMMAND=STATUS' },
  VERSION: { id: 'cni.VERSION', kind: 'cni', upstream: 'CNI_COMMAND=VERSION' },
} as const satisfies Steps;

type DockerCall = keyof typeof dockerCalls;
type Call = DockerCall | keyof typeof cniCommands;

const stepOf = (name: Call): Step => ({ ...dockerCalls, ...cniCommands })[name];

const below = ({ id }: Step, ...names: readonly Call[]): Level => ({
  id: `docker below ${id}`,
  under: [id],
  steps: Object.fromEntries(names.map((name) => [name, stepOf(name)])),
  numbered: false,
  runtime: 'docker',
});

/** The usual calls of each CRI call and of each step of RunPodSandbox, in the order in which dockershim makes them. */
export const dockerLevels: readonly Level[] = [
  below(runPodSandboxSteps.ensureSandboxImage, 'inspectImage', 'pullImage'),
  below(runPodSandboxSteps.createSandboxContainer, 'createContainer'),
  below(runPodSandboxSteps.startSandboxContainer, 'startContainer', 'inspectContainer'),
  below(runPodSandboxSteps.setUpSandboxNetwork, 'inspectContainer', 'ADD'),
  below(engineProbes.probeOomScore, 'createContainer', 'startContainer', 'removeContainer'),
  below(engineProbes.probeCapabilities, 'createContainer', 'startContainer', 'removeContainer'),
  below(criCalls.StopPodSandbox, 'inspectContainer', 'listContainers', 'DEL', 'stopContainer'),
  below(criCalls.RemovePodSandbox, 'inspectContainer', 'listContainers', 'DEL', 'removeContainer'),
  below(criCalls.PodSandboxStatus, 'inspectContainer'),
  below(criCalls.ListPodSandbox, 'listContainers'),
  below(criCalls.CreateContainer, 'inspectImage', 'createContainer'),
  below(criCalls.StartContainer, 'startContainer', 'inspectContainer'),
  below(criCalls.StopContainer, 'stopContainer'),
  below(criCalls.RemoveContainer, 'inspectContainer', 'removeContainer'),
  below(criCalls.ListContainers, 'listContainers'),
  below(criCalls.ContainerStatus, 'inspectContainer', 'inspectImage'),
  below(criCalls.UpdateContainerResources, 'updateContainer'),
  below(criCalls.ExecSync, 'createExec', 'startExec', 'inspectExec'),
  below(criCalls.Exec, 'createExec', 'startExecAttached', 'resizeExec', 'inspectExec'),
  below(criCalls.Attach, 'inspectContainer', 'attach', 'resizeContainer'),
  below(criCalls.ContainerStats, 'inspectContainer', 'containerStats'),
  below(criCalls.ListContainerStats, 'listContainers', 'containerStats'),
  below(criCalls.Version, 'version'),
  below(criCalls.Status, 'info', 'STATUS'),
  below(criCalls.ListImages, 'listImages'),
  below(criCalls.ImageStatus, 'inspectImage'),
  below(criCalls.PullImage, 'pullImage', 'inspectImage'),
  below(criCalls.RemoveImage, 'inspectImage', 'removeImage'),
  below(criCalls.ImageFsInfo, 'info', 'diskUsage'),
];
