/** Exports the flow of a pod through kubelet, runtime manager, CRI, Docker and CNI: steps, order, names and texts. */
export { type FlowNode, type FlowOptions, flowTree, gatesOfSteps, stepIDs, stepsBelow } from './flow-tree.ts';
export type { Release, RuntimeKind } from './level.ts';
export {
  type CommonKubeletSteps,
  cniPoints,
  criPoints,
  criPointsOf,
  dockerPoints,
  engineProbePoints,
  kubeletPoints,
  kubeletPointsOf,
  kubeletSyncPodPoints,
  kubeletSyncPodPointsV120,
  kuberuntimePoints,
  runPodSandboxPoints,
  simulatedRunPodSandboxPoints,
  syncPodPoints,
  syncPodPointsOf,
  syncPodPointsV120,
  syncTerminatedPodPoints,
  syncTerminatingPodPoints,
} from './points.ts';
export { stepText, stepTextIDs } from './texts/catalogue.ts';
export type { FlowLanguage, StepText } from './texts/text.ts';
