/** Defines the protobuf messages of a container. Upstream: core/v1 generated.proto. */
import type { MessageType } from './read-message.ts';
import { fieldRef, localObjectReference, resourceFieldRef } from './volume.ts';

export const resourceRequirements: MessageType = {
  1: ['limits', 'quantityMap'],
  2: ['requests', 'quantityMap'],
  3: ['claims', { 1: ['name', 'string'], 2: ['request', 'string'] }, 'repeated'],
};

export const seLinuxOptions: MessageType = {
  1: ['user', 'string'],
  2: ['role', 'string'],
  3: ['type', 'string'],
  4: ['level', 'string'],
};
export const windowsOptions: MessageType = {
  1: ['gmsaCredentialSpecName', 'string'],
  2: ['gmsaCredentialSpec', 'string'],
  3: ['runAsUserName', 'string'],
  4: ['hostProcess', 'boolean'],
};
/** The structure of seccomp profiles and AppArmor profiles. */
export const securityProfile: MessageType = { 1: ['type', 'string'], 2: ['localhostProfile', 'string'] };

const securityContext: MessageType = {
  1: ['capabilities', { 1: ['add', 'string', 'repeated'], 2: ['drop', 'string', 'repeated'] }],
  2: ['privileged', 'boolean'],
  3: ['seLinuxOptions', seLinuxOptions],
  4: ['runAsUser', 'integer'],
  5: ['runAsNonRoot', 'boolean'],
  6: ['readOnlyRootFilesystem', 'boolean'],
  7: ['allowPrivilegeEscalation', 'boolean'],
  8: ['runAsGroup', 'integer'],
  9: ['procMount', 'string'],
  10: ['windowsOptions', windowsOptions],
  11: ['seccompProfile', securityProfile],
  12: ['appArmorProfile', securityProfile],
};

const containerPort: MessageType = {
  1: ['name', 'string'],
  2: ['hostPort', 'count'],
  3: ['containerPort', 'count'],
  4: ['protocol', 'string'],
  5: ['hostIP', 'string'],
};

const envFromReference: MessageType = { 1: ['', localObjectReference, 'inline'], 2: ['optional', 'boolean'] };
const keySelector: MessageType = {
  1: ['', localObjectReference, 'inline'],
  2: ['key', 'string'],
  3: ['optional', 'boolean'],
};

const envVar: MessageType = {
  1: ['name', 'string'],
  2: ['value', 'string'],
  3: [
    'valueFrom',
    {
      1: ['fieldRef', fieldRef],
      2: ['resourceFieldRef', resourceFieldRef],
      3: ['configMapKeyRef', keySelector],
      4: ['secretKeyRef', keySelector],
    },
  ],
};

const volumeMount: MessageType = {
  1: ['name', 'string'],
  2: ['readOnly', 'flag'],
  3: ['mountPath', 'string'],
  4: ['subPath', 'string'],
  5: ['mountPropagation', 'string'],
  6: ['subPathExpr', 'string'],
  7: ['recursiveReadOnly', 'string'],
};

const handler: MessageType = {
  1: ['exec', { 1: ['command', 'string', 'repeated'] }],
  2: [
    'httpGet',
    {
      1: ['path', 'string'],
      2: ['port', 'intOrString'],
      3: ['host', 'string'],
      4: ['scheme', 'string'],
      5: ['httpHeaders', { 1: ['name', 'string'], 2: ['value', 'string'] }, 'repeated'],
    },
  ],
  3: ['tcpSocket', { 1: ['port', 'intOrString'], 2: ['host', 'string'] }],
};

const probe: MessageType = {
  1: ['', { ...handler, 4: ['grpc', { 1: ['port', 'count'], 2: ['service', 'string'] }] }, 'inline'],
  2: ['initialDelaySeconds', 'count'],
  3: ['timeoutSeconds', 'count'],
  4: ['periodSeconds', 'count'],
  5: ['successThreshold', 'count'],
  6: ['failureThreshold', 'count'],
  7: ['terminationGracePeriodSeconds', 'integer'],
};

const lifecycleHandler: MessageType = { ...handler, 4: ['sleep', { 1: ['seconds', 'integer'] }] };

export const container: MessageType = {
  1: ['name', 'string'],
  2: ['image', 'string'],
  3: ['command', 'string', 'repeated'],
  4: ['args', 'string', 'repeated'],
  5: ['workingDir', 'string'],
  6: ['ports', containerPort, 'repeated'],
  7: ['env', envVar, 'repeated'],
  8: ['resources', resourceRequirements],
  9: ['volumeMounts', volumeMount, 'repeated'],
  10: ['livenessProbe', probe],
  11: ['readinessProbe', probe],
  12: [
    'lifecycle',
    { 1: ['postStart', lifecycleHandler], 2: ['preStop', lifecycleHandler], 3: ['stopSignal', 'string'] },
  ],
  13: ['terminationMessagePath', 'string'],
  14: ['imagePullPolicy', 'string'],
  15: ['securityContext', securityContext],
  16: ['stdin', 'flag'],
  17: ['stdinOnce', 'flag'],
  18: ['tty', 'flag'],
  19: [
    'envFrom',
    { 1: ['prefix', 'string'], 2: ['configMapRef', envFromReference], 3: ['secretRef', envFromReference] },
    'repeated',
  ],
  20: ['terminationMessagePolicy', 'string'],
  21: ['volumeDevices', { 1: ['name', 'string'], 2: ['devicePath', 'string'] }, 'repeated'],
  22: ['startupProbe', probe],
  23: ['resizePolicy', { 1: ['resourceName', 'string'], 2: ['restartPolicy', 'string'] }, 'repeated'],
  24: ['restartPolicy', 'string'],
};

export const ephemeralContainer: MessageType = { 1: ['', container, 'inline'], 2: ['targetContainerName', 'string'] };
