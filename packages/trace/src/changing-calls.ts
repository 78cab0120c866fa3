/** Lists the CRI calls that change a sandbox, a container or an image. */

/** The methods of the CRI calls that change a sandbox, a container or an image. */
export const changingMethods: readonly string[] = [
  'RunPodSandbox',
  'StopPodSandbox',
  'RemovePodSandbox',
  'UpdatePodSandboxResources',
  'CreateContainer',
  'StartContainer',
  'StopContainer',
  'RemoveContainer',
  'UpdateContainerResources',
  'PullImage',
];

/** The ids of the points of the calls in {@link changingMethods}. */
export const changingPoints: ReadonlySet<string> = new Set(changingMethods.map((method) => `cri.${method}`));
