/**
 * Lists the Docker Engine calls and CNI commands, and the CRI calls that make them. Upstream: dockershim libdocker, CNI
 * (v1.20).
 */
import type { Level, Step, Steps } from '../level.ts';
import { criCalls } from './cri.ts';
import { engineProbes, runPodSandboxSteps, simulatedRunPodSandboxSteps } from './sandbox.ts';

const call = <const Name extends string>(name: Name, upstream: string) =>
  ({ id: `docker.${name}`, kind: 'docker', upstream }) as const;

/** Every Docker Engine call, by dockershim's name for the operation. The field `upstream` is the HTTP request. */
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
});

/** Returns a level that only the Docker runtime has. */
const onDocker = (step: Step, ...names: readonly Call[]): Level => ({ ...below(step, ...names), runtime: 'docker' });

/** Returns two levels, one per runtime, because a step of RunPodSandbox has a different id in each runtime. */
const belowStep = (name: keyof typeof runPodSandboxSteps, ...names: readonly Call[]): readonly Level[] => [
  onDocker(runPodSandboxSteps[name], ...names),
  { ...below(simulatedRunPodSandboxSteps[name], ...names), runtime: 'simulated' },
];

/** The calls that each CRI call and each step of RunPodSandbox usually makes, in dockershim's order. */
export const dockerLevels: readonly Level[] = [
  ...belowStep('ensureSandboxImage', 'inspectImage', 'pullImage'),
  ...belowStep('createSandboxContainer', 'createContainer'),
  ...belowStep('startSandboxContainer', 'startContainer', 'inspectContainer'),
  ...belowStep('setUpSandboxNetwork', 'inspectContainer', 'ADD'),
  onDocker(engineProbes.probeOomScore, 'createContainer', 'startContainer', 'removeContainer'),
  onDocker(engineProbes.probeCapabilities, 'createContainer', 'startContainer', 'removeContainer'),
  below(criCalls.StopPodSandbox, 'inspectContainer', 'listContainers', 'DEL', 'stopContainer'),
  below(criCalls.RemovePodSandbox, 'inspectContainer', 'listContainers', 'DEL', 'stopContainer', 'removeContainer'),
  below(criCalls.PodSandboxStatus, 'inspectContainer'),
  below(criCalls.ListPodSandbox, 'listContainers'),
  below(criCalls.CreateContainer, 'version', 'inspectContainer', 'inspectImage', 'createContainer'),
  below(criCalls.StartContainer, 'startContainer', 'inspectContainer'),
  below(criCalls.StopContainer, 'stopContainer'),
  below(criCalls.RemoveContainer, 'inspectContainer', 'removeContainer'),
  below(criCalls.ListContainers, 'listContainers'),
  below(criCalls.ContainerStatus, 'inspectContainer', 'inspectImage'),
  below(criCalls.UpdateContainerResources, 'updateContainer'),
  below(criCalls.UpdatePodSandboxResources, 'inspectContainer'),
  below(criCalls.ReopenContainerLog, 'inspectContainer'),
  below(criCalls.ExecSync, 'inspectContainer', 'createExec', 'startExec', 'inspectExec'),
  onDocker(criCalls.Exec, 'inspectContainer', 'createExec', 'startExecAttached', 'resizeExec', 'inspectExec'),
  onDocker(criCalls.Attach, 'inspectContainer', 'attach', 'resizeContainer'),
  onDocker(criCalls.PortForward, 'inspectContainer'),
  below(criCalls.ContainerStats, 'inspectContainer', 'inspectImage', 'containerStats'),
  below(criCalls.ListContainerStats, 'listContainers', 'inspectContainer', 'inspectImage', 'containerStats'),
  below(criCalls.PodSandboxStats, 'inspectContainer', 'listContainers', 'inspectImage', 'containerStats'),
  below(criCalls.ListPodSandboxStats, 'listContainers', 'inspectContainer', 'inspectImage', 'containerStats'),
  below(criCalls.Version, 'version'),
  below(criCalls.Status, 'version', 'info'),
  { ...onDocker(criCalls.Status, 'STATUS'), id: `CNI below ${criCalls.Status.id}` },
  below(criCalls.ListImages, 'listImages', 'inspectImage'),
  below(criCalls.ImageStatus, 'inspectImage'),
  below(criCalls.PullImage, 'pullImage', 'inspectImage'),
  below(criCalls.RemoveImage, 'inspectImage', 'listContainers', 'removeImage'),
  below(criCalls.ImageFsInfo, 'diskUsage'),
];
