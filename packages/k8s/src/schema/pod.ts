/** Defines the schema of a pod's spec and status. Upstream: core/v1 Pod. */

import { affinity, topologySpreadConstraint } from './affinity.ts';
import { container, ephemeralContainer, podSecurityContext, resourceList, resourceRequirements } from './container.ts';
import { topLevel } from './meta.ts';
import { any, atomic, boolean, int32, int64, list, map, mergeList, object, oneOf, string, time } from './schema.ts';
import { volume } from './volume.ts';

export const toleration = object({
  key: string,
  operator: oneOf('Equal', 'Exists'),
  value: string,
  effect: oneOf('NoSchedule', 'PreferNoSchedule', 'NoExecute'),
  tolerationSeconds: int64,
});

const podSpec = object(
  {
    volumes: mergeList('name', volume),
    initContainers: mergeList('name', container),
    containers: mergeList('name', container),
    ephemeralContainers: mergeList('name', ephemeralContainer),
    restartPolicy: oneOf('Always', 'OnFailure', 'Never'),
    terminationGracePeriodSeconds: int64,
    activeDeadlineSeconds: int64,
    dnsPolicy: oneOf('ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'),
    nodeSelector: atomic(map(string)),
    serviceAccountName: string,
    serviceAccount: string,
    automountServiceAccountToken: boolean,
    nodeName: string,
    hostNetwork: boolean,
    hostPID: boolean,
    hostIPC: boolean,
    hostUsers: boolean,
    shareProcessNamespace: boolean,
    securityContext: podSecurityContext,
    imagePullSecrets: mergeList('name', object({ name: string })),
    hostname: string,
    hostnameOverride: string,
    subdomain: string,
    affinity,
    schedulerName: string,
    tolerations: list(toleration),
    hostAliases: mergeList('ip', object({ ip: string, hostnames: list(string) }, 'ip')),
    priorityClassName: string,
    priority: int32,
    dnsConfig: object({
      nameservers: list(string),
      searches: list(string),
      options: list(object({ name: string, value: string })),
    }),
    readinessGates: list(object({ conditionType: string }, 'conditionType')),
    runtimeClassName: string,
    enableServiceLinks: boolean,
    preemptionPolicy: oneOf('PreemptLowerPriority', 'Never'),
    overhead: resourceList,
    topologySpreadConstraints: mergeList('topologyKey', topologySpreadConstraint, {
      topologyKey: undefined,
      whenUnsatisfiable: undefined,
    }),
    setHostnameAsFQDN: boolean,
    os: object({ name: oneOf('linux', 'windows') }, 'name'),
    schedulingGates: mergeList('name', object({ name: string })),
    resourceClaims: mergeList(
      'name',
      object({ name: string, resourceClaimName: string, resourceClaimTemplateName: string }),
    ),
    resources: resourceRequirements,
    workloadRef: any,
    schedulingGroup: any,
  },
  'containers',
);

const condition = object(
  {
    type: string,
    observedGeneration: int64,
    status: oneOf('True', 'False', 'Unknown'),
    lastProbeTime: time,
    lastTransitionTime: time,
    reason: string,
    message: string,
  },
  'type',
  'status',
);

const containerState = object({
  waiting: object({ reason: string, message: string }),
  running: object({ startedAt: time }),
  terminated: object(
    {
      exitCode: int32,
      signal: int32,
      reason: string,
      message: string,
      startedAt: time,
      finishedAt: time,
      containerID: string,
    },
    'exitCode',
  ),
});

const containerStatus = object(
  {
    name: string,
    state: containerState,
    lastState: containerState,
    ready: boolean,
    restartCount: int32,
    image: string,
    imageID: string,
    containerID: string,
    started: boolean,
    allocatedResources: resourceList,
    resources: resourceRequirements,
    volumeMounts: mergeList(
      'mountPath',
      object(
        { name: string, mountPath: string, readOnly: boolean, recursiveReadOnly: string, volumeStatus: any },
        'name',
        'mountPath',
      ),
    ),
    user: any,
    allocatedResourcesStatus: mergeList('name', any),
    stopSignal: string,
  },
  'name',
  'ready',
  'restartCount',
  'image',
  'imageID',
);

const podStatus = object({
  observedGeneration: int64,
  phase: oneOf('Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'),
  conditions: mergeList('type', condition),
  message: string,
  reason: string,
  nominatedNodeName: string,
  hostIP: string,
  hostIPs: mergeList('ip', object({ ip: string }, 'ip')),
  podIP: string,
  podIPs: mergeList('ip', object({ ip: string }, 'ip')),
  startTime: time,
  initContainerStatuses: list(containerStatus),
  containerStatuses: list(containerStatus),
  qosClass: oneOf('Guaranteed', 'Burstable', 'BestEffort'),
  ephemeralContainerStatuses: list(containerStatus),
  resize: string,
  resourceClaimStatuses: mergeList('name', object({ name: string, resourceClaimName: string })),
  extendedResourceClaimStatus: any,
  allocatedResources: resourceList,
  resources: resourceRequirements,
  nodeAllocatableResourceClaimStatuses: any,
});

export const podSchema = topLevel({ spec: podSpec, status: podStatus }, 'spec');
