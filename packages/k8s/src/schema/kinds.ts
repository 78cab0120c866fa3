/** Defines the supported kinds and the messages for unsupported ones. */

import { resourceList } from './container.ts';
import { topLevel } from './meta.ts';
import { podSchema, toleration } from './pod.ts';
import {
  any,
  boolean,
  bytes,
  list,
  map,
  mergeList,
  mergeSet,
  type ObjectSchema,
  object,
  oneOf,
  string,
  time,
} from './schema.ts';

const configMapSchema = topLevel({ data: map(string), binaryData: map(bytes), immutable: boolean });
const secretSchema = topLevel({ data: map(bytes), stringData: map(string), type: string, immutable: boolean });

const namespaceSchema = topLevel({
  spec: object({ finalizers: list(string) }),
  status: object({
    phase: oneOf('Active', 'Terminating'),
    conditions: mergeList(
      'type',
      object({ type: string, status: string, lastTransitionTime: time, reason: string, message: string }),
    ),
  }),
});

const serviceAccountSchema = topLevel({
  secrets: mergeList(
    'name',
    object({
      kind: string,
      namespace: string,
      name: string,
      uid: string,
      apiVersion: string,
      resourceVersion: string,
      fieldPath: string,
    }),
  ),
  imagePullSecrets: list(object({ name: string })),
  automountServiceAccountToken: boolean,
});

const runtimeClassSchema = topLevel({
  handler: string,
  overhead: object({ podFixed: resourceList }),
  scheduling: object({
    nodeSelector: map(string),
    tolerations: list(toleration),
  }),
});

const nodeSchema = topLevel({
  spec: object({
    podCIDR: string,
    podCIDRs: mergeSet(string),
    providerID: string,
    unschedulable: boolean,
    taints: list(object({ key: string, value: string, effect: string, timeAdded: time })),
    configSource: any,
    externalID: string,
  }),
  status: object({
    capacity: map(any),
    allocatable: map(any),
    phase: string,
    conditions: mergeList('type', any),
    addresses: mergeList('type', any),
    daemonEndpoints: any,
    nodeInfo: any,
    images: list(any),
    volumesInUse: list(string),
    volumesAttached: list(any),
    config: any,
    runtimeHandlers: list(any),
    features: any,
    declaredFeatures: list(string),
  }),
});

/** The kinds that a manifest may contain. */
export const manifestSchemas = {
  Pod: podSchema,
  ConfigMap: configMapSchema,
  Secret: secretSchema,
  Namespace: namespaceSchema,
  RuntimeClass: runtimeClassSchema,
} as const satisfies Readonly<Record<string, ObjectSchema>>;

export type ManifestKind = keyof typeof manifestSchemas;

export const manifestKinds: readonly ManifestKind[] = ['Pod', 'ConfigMap', 'Secret', 'Namespace', 'RuntimeClass'];

export function isManifestKind(kind: string): kind is ManifestKind {
  return Object.hasOwn(manifestSchemas, kind);
}

/** The kinds that API clients may write. */
export const writableSchemas = {
  ...manifestSchemas,
  Node: nodeSchema,
  ServiceAccount: serviceAccountSchema,
} as const satisfies Readonly<Record<string, ObjectSchema>>;

export type WritableKind = keyof typeof writableSchemas;

export const writableKinds = Object.keys(writableSchemas) as readonly WritableKind[];

/** Returns the `apiVersion` of a kind that clients may write: `v1`, or `node.k8s.io/v1` for RuntimeClass. */
export const apiVersionOfKind = (kind: WritableKind): string => (kind === 'RuntimeClass' ? 'node.k8s.io/v1' : 'v1');

/** Returns the schema of a kind that supports patches, or undefined. */
export function schemaOfKind(kind: string): ObjectSchema | undefined {
  return Object.hasOwn(writableSchemas, kind) ? writableSchemas[kind as WritableKind] : undefined;
}

/** The kinds of workloads that contain a pod template, with the path of the template. */
export const templatedKinds: Readonly<Record<string, string>> = {
  Deployment: 'spec.template',
  ReplicaSet: 'spec.template',
  StatefulSet: 'spec.template',
  DaemonSet: 'spec.template',
  ReplicationController: 'spec.template',
  Job: 'spec.template',
  CronJob: 'spec.jobTemplate.spec.template',
};

/** Returns a hint for a kind that isn't supported. */
export function unsupportedKindHint(kind: string): string {
  const supported = `this node takes ${manifestKinds.join(', ')} and List`;
  const template = templatedKinds[kind];
  if (template !== undefined) {
    return (
      `${supported}; a ${kind} needs a controller that creates its pods: submit the pod in its ${template} as ` +
      'kind: Pod with a metadata.name of its own'
    );
  }
  return `${supported}; leave the document out`;
}
