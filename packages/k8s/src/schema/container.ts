/** Defines the schema of a container. Upstream: core/v1 Container. */

import {
  atomic,
  boolean,
  int32,
  int64,
  intOrString,
  list,
  map,
  mergeList,
  object,
  oneOf,
  quantity,
  type Schema,
  string,
} from './schema.ts';

export const resourceList = map(quantity);

export const resourceRequirements = object({
  limits: resourceList,
  requests: resourceList,
  claims: mergeList('name', object({ name: string, request: string }, 'name')),
});

export const fieldRef = atomic(object({ apiVersion: string, fieldPath: string }, 'fieldPath'));
export const resourceFieldRef = atomic(
  object({ containerName: string, resource: string, divisor: quantity }, 'resource'),
);
const keySelector = atomic(object({ name: string, key: string, optional: boolean }, 'key'));

const envVar = object(
  {
    name: string,
    value: string,
    valueFrom: object({
      fieldRef,
      resourceFieldRef,
      configMapKeyRef: keySelector,
      secretKeyRef: keySelector,
      fileKeyRef: atomic(
        object({ volumeName: string, path: string, key: string, optional: boolean }, 'volumeName', 'path', 'key'),
      ),
    }),
  },
  'name',
);

const envFromSource = object({
  prefix: string,
  configMapRef: object({ name: string, optional: boolean }),
  secretRef: object({ name: string, optional: boolean }),
});

const exec = object({ command: list(string) });
const httpGet = object(
  {
    path: string,
    port: intOrString,
    host: string,
    scheme: oneOf('HTTP', 'HTTPS'),
    httpHeaders: list(object({ name: string, value: string }, 'name', 'value')),
  },
  'port',
);
const tcpSocket = object({ port: intOrString, host: string }, 'port');

const probe = object({
  exec,
  httpGet,
  tcpSocket,
  grpc: object({ port: int32, service: string }, 'port'),
  initialDelaySeconds: int32,
  timeoutSeconds: int32,
  periodSeconds: int32,
  successThreshold: int32,
  failureThreshold: int32,
  terminationGracePeriodSeconds: int64,
});

const handler = object({ exec, httpGet, tcpSocket, sleep: object({ seconds: int64 }, 'seconds') });

const seLinuxOptions = object({ user: string, role: string, type: string, level: string });
const windowsOptions = object({
  gmsaCredentialSpecName: string,
  gmsaCredentialSpec: string,
  runAsUserName: string,
  hostProcess: boolean,
});
const profile = object({ type: oneOf('Localhost', 'RuntimeDefault', 'Unconfined'), localhostProfile: string }, 'type');

const securityContext = object({
  capabilities: object({ add: list(string), drop: list(string) }),
  privileged: boolean,
  seLinuxOptions,
  windowsOptions,
  runAsUser: int64,
  runAsGroup: int64,
  runAsNonRoot: boolean,
  readOnlyRootFilesystem: boolean,
  allowPrivilegeEscalation: boolean,
  procMount: oneOf('Default', 'Unmasked'),
  seccompProfile: profile,
  appArmorProfile: profile,
});

export const podSecurityContext = object({
  seLinuxOptions,
  windowsOptions,
  runAsUser: int64,
  runAsGroup: int64,
  runAsNonRoot: boolean,
  supplementalGroups: list(int64),
  supplementalGroupsPolicy: oneOf('Merge', 'Strict'),
  fsGroup: int64,
  fsGroupChangePolicy: oneOf('Always', 'OnRootMismatch'),
  sysctls: list(object({ name: string, value: string }, 'name', 'value')),
  seccompProfile: profile,
  appArmorProfile: profile,
  seLinuxChangePolicy: oneOf('MountOption', 'Recursive'),
});

const volumeMount = object(
  {
    name: string,
    readOnly: boolean,
    recursiveReadOnly: oneOf('Disabled', 'IfPossible', 'Enabled'),
    mountPath: string,
    subPath: string,
    mountPropagation: oneOf('None', 'HostToContainer', 'Bidirectional'),
    subPathExpr: string,
  },
  'name',
  'mountPath',
);

const containerFields: Readonly<Record<string, Schema>> = {
  name: string,
  image: string,
  command: list(string),
  args: list(string),
  workingDir: string,
  ports: mergeList(
    'containerPort',
    object(
      { name: string, hostPort: int32, containerPort: int32, protocol: oneOf('SCTP', 'TCP', 'UDP'), hostIP: string },
      'containerPort',
    ),
    { containerPort: undefined, protocol: 'TCP' },
  ),
  envFrom: list(envFromSource),
  env: mergeList('name', envVar),
  resources: resourceRequirements,
  resizePolicy: list(
    object(
      { resourceName: oneOf('cpu', 'memory'), restartPolicy: oneOf('NotRequired', 'RestartContainer') },
      'resourceName',
      'restartPolicy',
    ),
  ),
  restartPolicy: oneOf('Always', 'Never', 'OnFailure'),
  restartPolicyRules: list(
    object(
      {
        action: oneOf('Restart', 'RestartAllContainers'),
        exitCodes: object({ operator: oneOf('In', 'NotIn'), values: list(int32) }, 'operator'),
      },
      'action',
    ),
  ),
  volumeMounts: mergeList('mountPath', volumeMount),
  volumeDevices: mergeList('devicePath', object({ name: string, devicePath: string }, 'name', 'devicePath')),
  livenessProbe: probe,
  readinessProbe: probe,
  startupProbe: probe,
  lifecycle: object({ postStart: handler, preStop: handler, stopSignal: string }),
  terminationMessagePath: string,
  terminationMessagePolicy: oneOf('File', 'FallbackToLogsOnError'),
  imagePullPolicy: oneOf('Always', 'IfNotPresent', 'Never'),
  securityContext,
  stdin: boolean,
  stdinOnce: boolean,
  tty: boolean,
};

export const container = object(containerFields, 'name');
export const ephemeralContainer = object({ ...containerFields, targetContainerName: string }, 'name');
