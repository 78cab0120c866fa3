/** Exports dockershim, an in-process CRI runtime for the Docker Engine. */
export { createDockershim, dockershimFailures, dockershimPoints } from './create-dockershim.ts';
export { describeEngine, type EngineDescription } from './docker/describe-engine.ts';
export { isRequiredCall, type RequiredCall, requiredCalls } from './engine/required-calls.ts';
export {
  type DockershimOptions,
  localSandboxImage,
  type NetworkOptions,
  type NetworkPluginName,
  networkPlugins,
  type SandboxImageFallback,
} from './options.ts';
