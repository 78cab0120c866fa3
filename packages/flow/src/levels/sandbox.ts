/** Lists the steps of RunPodSandbox for each runtime. Upstream: dockershim docker_sandbox.go RunPodSandbox (v1.20). */
import type { Level, Steps } from '../level.ts';
import { criCalls } from './cri.ts';

const upstream = 'dockerService.RunPodSandbox';

/** The five steps of dockershim's RunPodSandbox. */
export const runPodSandboxSteps = {
  ensureSandboxImage: { id: 'dockershim.ensureSandboxImage', kind: 'criStep', upstream },
  createSandboxContainer: { id: 'dockershim.createSandboxContainer', kind: 'criStep', upstream },
  createSandboxCheckpoint: { id: 'dockershim.createSandboxCheckpoint', kind: 'criStep', upstream },
  startSandboxContainer: { id: 'dockershim.startSandboxContainer', kind: 'criStep', upstream },
  setUpSandboxNetwork: { id: 'dockershim.setUpSandboxNetwork', kind: 'criStep', upstream },
} as const satisfies Steps;

/** The steps of RunPodSandbox in the simulated runtime. The steps are the same as dockershim's, with other ids. */
export const simulatedRunPodSandboxSteps = {
  ensureSandboxImage: { id: 'simulator.ensureSandboxImage', kind: 'criStep', upstream },
  createSandboxContainer: { id: 'simulator.createSandboxContainer', kind: 'criStep', upstream },
  createSandboxCheckpoint: { id: 'simulator.createSandboxCheckpoint', kind: 'criStep', upstream },
  startSandboxContainer: { id: 'simulator.startSandboxContainer', kind: 'criStep', upstream },
  setUpSandboxNetwork: { id: 'simulator.setUpSandboxNetwork', kind: 'criStep', upstream },
} as const satisfies Steps;

/**
 * The probes with which dockershim finds out what an engine supports. Each probe runs once, in a temporary container.
 */
export const engineProbes = {
  probeOomScore: { id: 'dockershim.probeOomScore', kind: 'criStep', upstream: 'none: Podscope only' },
  probeCapabilities: { id: 'dockershim.probeCapabilities', kind: 'criStep', upstream: 'none: Podscope only' },
} as const satisfies Steps;

export const sandboxLevels: readonly Level[] = [
  {
    id: 'runPodSandbox',
    under: [criCalls.RunPodSandbox.id],
    steps: runPodSandboxSteps,
    numbered: true,
    runtime: 'docker',
  },
  {
    id: 'simulatedRunPodSandbox',
    under: [criCalls.RunPodSandbox.id],
    steps: simulatedRunPodSandboxSteps,
    numbered: true,
    runtime: 'simulated',
  },
  {
    id: 'engineProbes',
    under: [runPodSandboxSteps.createSandboxContainer.id],
    steps: engineProbes,
    numbered: false,
    runtime: 'docker',
  },
];
