/** Describes the two supported versions of CRI and the RPCs that the older one lacks. */
import { type CriMethod, imageServiceMethods, runtimeServiceMethods } from '../services.ts';
import { type MethodSchema, serviceSchemas } from './codec/schema.ts';

/** `v1` exists since Kubernetes v1.20; kubelets up to v1.25 and old clients use `v1alpha2`. */
export type CriApiVersion = 'v1' | 'v1alpha2';

/** The RPCs that v1alpha2 (Kubernetes v1.20) doesn't have. */
const newerThanV1alpha2: ReadonlySet<string> = new Set<CriMethod>([
  'StreamPodSandboxes',
  'StreamContainers',
  'StreamContainerStats',
  'PodSandboxStats',
  'ListPodSandboxStats',
  'StreamPodSandboxStats',
  'CheckpointContainer',
  'GetContainerEvents',
  'ListMetricDescriptors',
  'ListPodSandboxMetrics',
  'StreamPodSandboxMetrics',
  'RuntimeConfig',
  'UpdatePodSandboxResources',
  'StreamImages',
]);

/** An RPC in one version of CRI. */
export interface Rpc extends MethodSchema {
  readonly name: CriMethod;
  /** The name of the RPC in the TypeScript services, for example `runPodSandbox`. */
  readonly key: string;
  /** The path of the RPC in HTTP/2, for example `/runtime.v1.RuntimeService/RunPodSandbox`. */
  readonly path: string;
}

const isCriMethod = (name: string): name is CriMethod =>
  [...runtimeServiceMethods, ...imageServiceMethods].some((method) => method === name);

/** Returns the RPCs of a service in a version. */
export function rpcsOf(version: CriApiVersion, service: keyof typeof serviceSchemas): readonly Rpc[] {
  return serviceSchemas[service].flatMap((method): Rpc[] => {
    const { name } = method;
    if (!isCriMethod(name)) throw new Error(`the .proto file has an RPC ${name} that services.ts does not know`);
    if (version === 'v1alpha2' && newerThanV1alpha2.has(name)) return [];
    return [
      {
        ...method,
        name,
        key: `${name.charAt(0).toLowerCase()}${name.slice(1)}`,
        path: `/runtime.${version}.${service}/${name}`,
      },
    ];
  });
}
