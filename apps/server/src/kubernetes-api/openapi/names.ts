/**
 * Maps schemas of structures to their upstream names. Each structure is located by one path at which it is used. The
 * name applies wherever the structure is used.
 */
import { type Schema, writableKinds, writableSchemas } from '@podscope/k8s';

const container = 'Pod.spec.containers[]';
const volume = 'Pod.spec.volumes[]';

const placesByName: Readonly<Record<string, string>> = {
  ObjectMeta: 'Pod.metadata',
  OwnerReference: 'Pod.metadata.ownerReferences[]',
  ManagedFieldsEntry: 'Pod.metadata.managedFields[]',
  PodSpec: 'Pod.spec',
  PodStatus: 'Pod.status',
  PodCondition: 'Pod.status.conditions[]',
  ContainerStatus: 'Pod.status.containerStatuses[]',
  ContainerState: 'Pod.status.containerStatuses[].state',
  Container: container,
  EphemeralContainer: 'Pod.spec.ephemeralContainers[]',
  ContainerPort: `${container}.ports[]`,
  EnvVar: `${container}.env[]`,
  EnvVarSource: `${container}.env[].valueFrom`,
  EnvFromSource: `${container}.envFrom[]`,
  ObjectFieldSelector: `${container}.env[].valueFrom.fieldRef`,
  ResourceFieldSelector: `${container}.env[].valueFrom.resourceFieldRef`,
  ResourceRequirements: `${container}.resources`,
  ContainerResizePolicy: `${container}.resizePolicy[]`,
  VolumeMount: `${container}.volumeMounts[]`,
  VolumeDevice: `${container}.volumeDevices[]`,
  Probe: `${container}.livenessProbe`,
  ExecAction: `${container}.livenessProbe.exec`,
  HTTPGetAction: `${container}.livenessProbe.httpGet`,
  TCPSocketAction: `${container}.livenessProbe.tcpSocket`,
  GRPCAction: `${container}.livenessProbe.grpc`,
  Lifecycle: `${container}.lifecycle`,
  LifecycleHandler: `${container}.lifecycle.preStop`,
  SecurityContext: `${container}.securityContext`,
  Capabilities: `${container}.securityContext.capabilities`,
  SELinuxOptions: `${container}.securityContext.seLinuxOptions`,
  PodSecurityContext: 'Pod.spec.securityContext',
  PodDNSConfig: 'Pod.spec.dnsConfig',
  HostAlias: 'Pod.spec.hostAliases[]',
  Toleration: 'Pod.spec.tolerations[]',
  Affinity: 'Pod.spec.affinity',
  TopologySpreadConstraint: 'Pod.spec.topologySpreadConstraints[]',
  Volume: volume,
  EmptyDirVolumeSource: `${volume}.emptyDir`,
  HostPathVolumeSource: `${volume}.hostPath`,
  ConfigMapVolumeSource: `${volume}.configMap`,
  SecretVolumeSource: `${volume}.secret`,
  DownwardAPIVolumeSource: `${volume}.downwardAPI`,
  DownwardAPIVolumeFile: `${volume}.downwardAPI.items[]`,
  ProjectedVolumeSource: `${volume}.projected`,
  VolumeProjection: `${volume}.projected.sources[]`,
  KeyToPath: `${volume}.configMap.items[]`,
  ImageVolumeSource: `${volume}.image`,
  NamespaceSpec: 'Namespace.spec',
  NamespaceStatus: 'Namespace.status',
  NodeSpec: 'Node.spec',
  NodeStatus: 'Node.status',
};

function schemaAt(place: string): Schema {
  const [kind, ...fields] = place.split('.');
  const found = writableKinds.find((each) => each === kind);
  let schema: Schema | undefined = found && writableSchemas[found];
  for (const field of fields) {
    const name = field.replace('[]', '');
    const parent: Schema | undefined = schema?.type === 'object' ? schema.fields[name] : undefined;
    schema = field.endsWith('[]') && parent?.type === 'array' ? parent.items : parent;
  }
  if (schema?.type !== 'object') throw new RangeError(`${place} is no structure`);
  return schema;
}

/** Upstream names by the schema object itself. */
export const namedSchemas: ReadonlyMap<Schema, string> = new Map<Schema, string>([
  ...Object.entries(placesByName).map(([name, place]) => [schemaAt(place), name] as const),
  ...writableKinds.map((kind) => [writableSchemas[kind], kind] as const),
]);
