/**
 * Lists the CRI methods that a debugger may hold or fail: calls that affect one pod. A kubelet that waits for another
 * call marks its node as not ready.
 */

/**
 * The methods that affect one pod. PullImage can also delay the pods that wait for their own pulls
 * (`serializeImagePulls`).
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

/** Returns the method of a call's path: `CreateContainer` of `/runtime.v1.RuntimeService/CreateContainer`. */
export const methodOfPath = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
