/**
 * Lists the Docker Engine calls and CNI commands, and the CRI calls that make them. Upstream: dockershim libdocker, CNI
 * (v1.20).
 */
import type { Level, Step, Steps } from '../level.ts';
import { criCalls } from './cri.ts';
import { engineProbes, runPodSandboxSteps, simulatedRunPodSandboxSteps } from './sandbox.ts';

const call = <const Name extends string>(name: Name, upstream: string) =>
  ({ id: `docker.${name}`, kind: 'docker', upstream }) as const;

/** Every Docker Engine call, by dockershim's name for the operation. Its upstream is the HTTP request. */
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

/**
 * Returns a level that only the Docker runtime has. The simulated runtime records no span for a call that only reads.
 */
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
  below(criCalls.RemovePodSandbox, 'inspectContainer', 'listContainers', 'DEL', 'removeContainer'),
  onDocker(criCalls.PodSandboxStatus, 'inspectContainer'),
  onDocker(criCalls.ListPodSandbox, 'listContainers'),
  below(criCalls.CreateContainer, 'inspectImage', 'createContainer'),
  below(criCalls.StartContainer, 'startContainer', 'inspectContainer'),
  below(criCalls.StopContainer, 'stopContainer'),
  below(criCalls.RemoveContainer, 'inspectContainer', 'removeContainer'),
  onDocker(criCalls.ListContainers, 'listContainers'),
  onDocker(criCalls.ContainerStatus, 'inspectContainer', 'inspectImage'),
  below(criCalls.UpdateContainerResources, 'updateContainer'),
  below(criCalls.ExecSync, 'createExec', 'startExec', 'inspectExec'),
  onDocker(criCalls.Exec, 'createExec', 'startExecAttached', 'resizeExec', 'inspectExec'),
  onDocker(criCalls.Attach, 'inspectContainer', 'attach', 'resizeContainer'),
  onDocker(criCalls.ContainerStats, 'inspectContainer', 'containerStats'),
  onDocker(criCalls.ListContainerStats, 'listContainers', 'containerStats'),
  onDocker(criCalls.Version, 'version'),
  onDocker(criCalls.Status, 'info', 'STATUS'),
  onDocker(criCalls.ListImages, 'listImages'),
  onDocker(criCalls.ImageStatus, 'inspectImage'),
  below(criCalls.PullImage, 'pullImage', 'inspectImage'),
  below(criCalls.RemoveImage, 'inspectImage', 'removeImage'),
  onDocker(criCalls.ImageFsInfo, 'info', 'diskUsage'),
];
