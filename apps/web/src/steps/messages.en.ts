/** What the steps and their results say. */
import { defineMessages } from '../i18n/define-messages.ts';

export const stepsMessages = defineMessages('steps', {
  notRun: 'SyncPod has not run for this pod yet',
  notRunNote: 'The pod worker calls it once the kubelet has admitted the pod and its volumes are there. The events tell what it waits for.',
  inspect: 'Inspect',
  stepsOf: 'Steps of sync {number}',
  otherResults: 'Results outside of the steps',
  spoken: 'Step {step}, {title}: {state}',
  spokenDetail: 'Step {step}, {title}: {state}, {detail}',
  sync: 'Sync',
  syncOf: 'sync {number} of {last}',
  previousSync: 'Previous sync',
  nextSync: 'Next sync',
  latest: 'Latest',
});

/** States of a step. */
export const stepStateMessages = defineMessages('stepState', {
  done: 'done',
  failed: 'failed',
  postponed: 'postponed',
  canceled: 'canceled',
  running: 'running',
  stopped: 'stopped here',
  skipped: 'skipped',
  pending: 'to come',
  unreached: 'not reached',
});

/** How a pass came out. */
export const syncOutcomeMessages = defineMessages('syncOutcome', {
  running: 'running',
  failed: 'failed',
  postponed: 'postponed',
  done: 'succeeded',
});

/** Titles and descriptions of SyncPod's steps, word for word as the engine has them, so that other languages can have them too. */
export const stepTextMessages = defineMessages('stepText', {
  computePodActions: 'Compute sandbox and container changes',
  computePodActionsNote: 'Compares the pod with what the runtime shows and decides what to do.',
  killPod: 'Kill the pod if the sandbox has changed',
  killPodNote: 'Stops all containers and the sandbox when the sandbox must be replaced or nothing is left to run.',
  killContainers: 'Kill containers that should not run',
  killContainersNote: 'Stops containers that are unhealthy, changed or in an unknown state.',
  createPodSandbox: 'Create the sandbox if necessary',
  createPodSandboxNote: 'Asks the runtime for a new pod sandbox and reads back its address.',
  onPodSandboxReady: 'Report the sandbox ready',
  onPodSandboxReadyNote: 'Lets the kubelet publish PodReadyToStartContainers before images are pulled.',
  startEphemeralContainers: 'Start ephemeral containers',
  startEphemeralContainersNote: 'Starts debug containers that were added to the pod.',
  startInitContainers: 'Start init containers',
  startInitContainersNote: 'Starts the init containers and sidecars whose turn it is.',
  startNextInitContainer: 'Start the next init container',
  startNextInitContainerNote: 'Starts the init container whose turn it is.',
  resizePodInPlace: 'Resize running containers',
  resizePodInPlaceNote: 'Gives running containers their new CPU and memory without a restart.',
  startContainers: 'Start containers',
  startContainersNote: 'Starts the regular containers, each after its back-off.',
});
