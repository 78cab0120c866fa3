/**
 * Applies the runtime class of a new pod and rejects a pod whose class is missing. Upstream: admission plugin
 * RuntimeClass (v1.36).
 */
import { compareQuantities, type Pod, parseQuantity, type ResourceList, type RuntimeClass } from '@podscope/k8s';
import { forbidden } from '../api-errors.ts';

/** Returns a runtime class by name, undefined if it doesn't exist. */
export type FindRuntimeClass = (name: string) => RuntimeClass | undefined;

const isSameList = (a: ResourceList, b: ResourceList): boolean =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(
    ([name, value]) =>
      b[name] !== undefined && compareQuantities(parseQuantity(String(value)), parseQuantity(String(b[name]))) === 0,
  );

/** Returns the pod with the overhead, node selector and tolerations of its runtime class. Upstream: Admit. */
export function withRuntimeClass(pod: Pod, find: FindRuntimeClass): Pod {
  const { runtimeClassName, overhead, nodeSelector, tolerations = [] } = pod.spec;
  const found = runtimeClassName ? find(runtimeClassName) : undefined;
  if (!found) return pod;
  const podFixed = found.overhead?.podFixed;
  const selector = { ...found.scheduling?.nodeSelector, ...nodeSelector };
  const tolerated = [...tolerations, ...(found.scheduling?.tolerations ?? [])];
  return {
    ...pod,
    spec: {
      ...pod.spec,
      ...(overhead === undefined && podFixed !== undefined ? { overhead: podFixed } : {}),
      ...(Object.keys(selector).length > 0 ? { nodeSelector: selector } : {}),
      ...(tolerated.length > 0 ? { tolerations: tolerated } : {}),
    },
  };
}

/**
 * Checks the runtime class of a new pod. Upstream: Admit, validateOverhead.
 * @throws ApiError Forbidden if the class is missing or the pod's overhead differs from the overhead of the class
 */
export function admitRuntimeClass({ metadata, spec }: Pod, find: FindRuntimeClass): void {
  const { runtimeClassName, overhead } = spec;
  const reject = (reason: string): never => {
    throw forbidden('pods', metadata.name, `pod rejected: ${reason}`);
  };
  const found = runtimeClassName ? find(runtimeClassName) : undefined;
  if (runtimeClassName && !found) reject(`RuntimeClass "${runtimeClassName}" not found`);
  const podFixed = found?.overhead?.podFixed;
  if (podFixed === undefined) {
    if (overhead !== undefined && Object.keys(overhead).length > 0)
      reject('Pod Overhead set without corresponding RuntimeClass defined Overhead');
  } else if (!isSameList(overhead ?? {}, podFixed)) {
    reject("Pod's Overhead doesn't match RuntimeClass's defined Overhead");
  }
}
