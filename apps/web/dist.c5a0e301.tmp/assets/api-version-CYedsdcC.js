var e=`/** The two releases of the interface that are spoken, and what the older one lacks. */
import { type CriMethod, imageServiceMethods, runtimeServiceMethods } from '../services.ts';
import { type MethodSchema, serviceSchemas } from './schema.ts';

/** \`v1\` is CRI's since Kubernetes v1.20; \`v1alpha2\` is what kubelets up to v1.25 and old clients of theirs speak. */
export type CriApiVersion = 'v1' | 'v1alpha2';

/** RPCs that came after v1alpha2 (Kubernetes v1.20). */
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

/** One RPC as a version has it. */
export interface Rpc extends MethodSchema {
  readonly name: CriMethod;
  /** Its name in the services of TypeScript: \`runPodSandbox\`. */
  readonly key: string;
  /** Its path in HTTP/2: \`/runtime.v1.RuntimeService/RunPodSandbox\`. */
  readonly path: string;
}

const isCriMethod = (name: string): name is CriMethod => [...runtimeServiceMethods, ...imageServiceMethods].some((method) => method === name);

/** The RPCs of a service in a version. */
export function rpcsOf(version: CriApiVersion, service: keyof typeof serviceSchemas): readonly Rpc[] {
  return serviceSchemas[service].flatMap((method): Rpc[] => {
    const { name } = method;
    if (!isCriMethod(name)) throw new Error(\`the .proto file has an RPC \${name} that services.ts does not know\`);
    if (version === 'v1alpha2' && newerThanV1alpha2.has(name)) return [];
    return [{ ...method, name, key: \`\${name.charAt(0).toLowerCase()}\${name.slice(1)}\`, path: \`/runtime.\${version}.\${service}/\${name}\` }];
  });
}
`;export{e as default};
//# sourceMappingURL=api-version-CYedsdcC.js.map