/** CRI over the Docker Engine, in process. */
export { createDockershim } from './create-dockershim.ts';
export { type DockershimOptions, defaultSandboxImage, localSandboxImage, type SandboxImageFallback } from './options.ts';
export { dockerPoints, dockershimPoints, runPodSandboxSteps } from './points.ts';
