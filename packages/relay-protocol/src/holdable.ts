/**
 * Lists the CRI methods whose calls a debugger may hold or fail: each call affects one pod. If any other call were
 * held, the kubelet would mark its node as not ready.
 */

/**
 * The methods that affect one pod. One exception: a held PullImage also delays the pulls of other pods if
 * `serializeImagePulls` is set.
 */
export const holdableMethods: readonly string[] = [
  'RunPodSandbox',
  'StopPodSandbox',
  'RemovePodSandbox',
  'CreateContainer',
  'StartContainer',
  'StopContainer',
  'RemoveContainer',
  'ExecSync',
  'UpdateContainerResources',
  'UpdatePodSandboxResources',
  'PullImage',
];

/** Returns the method in the path of a call: `CreateContainer` for `/runtime.v1.RuntimeService/CreateContainer`. */
export const methodOfPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
