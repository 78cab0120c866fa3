/** Computes the hash of a container's definition. Upstream: kubecontainer.HashContainer (v1.20). */
import { isRecord } from '@podscope/base';
import { hashOfPrintedBytes } from '../../util/fnv.ts';
import { goJSON } from '../../util/go-json.ts';
import { type HashContainer, memoized } from '../container-hash.ts';

/**
 * How Go serializes a field. `omitempty`: an empty value is omitted. `always`: an empty value is written. `pointer`:
 * only nil is omitted. An object describes the nested fields in the same way.
 */
type Presence = 'omitempty' | 'always' | 'pointer';

interface Field {
  readonly presence: Presence;
  /** The nested fields in their order; absent for plain values and maps. */
  readonly fields?: Fields;
}

type Fields = Readonly<Record<string, Field>>;

const plain = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, { presence: 'omitempty' as const }]));

const always = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, { presence: 'always' as const }]));

const pointers = (...names: readonly string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, { presence: 'pointer' as const }]));

const object = (name: string, fields: Fields, presence: Presence = 'pointer'): Fields => ({
  [name]: { presence, fields },
});

const list = (name: string, fields: Fields): Fields => ({ [name]: { presence: 'omitempty', fields } });

const keySelector: Fields = { ...plain('name'), ...always('key'), ...pointers('optional') };

const objectSelector: Fields = { ...plain('name'), ...pointers('optional') };

const httpGetFields: Fields = {
  ...plain('path'),
  ...always('port'),
  ...plain('host', 'scheme'),
  ...list('httpHeaders', always('name', 'value')),
};

const handlerFields: Fields = {
  ...object('exec', plain('command')),
  ...object('httpGet', httpGetFields),
  ...object('tcpSocket', { ...always('port'), ...plain('host') }),
};

const probeFields: Fields = {
  ...handlerFields,
  ...plain('initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'),
};

const securityFields: Fields = {
  ...object('capabilities', plain('add', 'drop')),
  ...pointers('privileged'),
  ...object('seLinuxOptions', plain('user', 'role', 'type', 'level')),
  ...object('windowsOptions', pointers('gmsaCredentialSpecName', 'gmsaCredentialSpec', 'runAsUserName')),
  ...pointers(
    'runAsUser',
    'runAsGroup',
    'runAsNonRoot',
    'readOnlyRootFilesystem',
    'allowPrivilegeEscalation',
    'procMount',
  ),
  ...object('seccompProfile', { ...always('type'), ...pointers('localhostProfile') }),
};

/** The fields of a container, in the order of the v1.20 API. */
const containerFieldsV120: Fields = {
  ...always('name'),
  ...plain('image', 'command', 'args', 'workingDir'),
  ...list('ports', { ...plain('name', 'hostPort'), ...always('containerPort'), ...plain('protocol', 'hostIP') }),
  ...list('envFrom', {
    ...plain('prefix'),
    ...object('configMapRef', objectSelector),
    ...object('secretRef', objectSelector),
  }),
  ...list('env', {
    ...always('name'),
    ...plain('value'),
    ...object('valueFrom', {
      ...object('fieldRef', { ...plain('apiVersion'), ...always('fieldPath') }),
      ...object('resourceFieldRef', { ...plain('containerName'), ...always('resource', 'divisor') }),
      ...object('configMapKeyRef', keySelector),
      ...object('secretKeyRef', keySelector),
    }),
  }),
  ...object('resources', plain('limits', 'requests'), 'always'),
  ...list('volumeMounts', {
    ...always('name'),
    ...plain('readOnly'),
    ...always('mountPath'),
    ...plain('subPath'),
    ...pointers('mountPropagation'),
    ...plain('subPathExpr'),
  }),
  ...list('volumeDevices', always('name', 'devicePath')),
  ...object('livenessProbe', probeFields),
  ...object('readinessProbe', probeFields),
  ...object('startupProbe', probeFields),
  ...object('lifecycle', { ...object('postStart', handlerFields), ...object('preStop', handlerFields) }),
  ...plain('terminationMessagePath', 'terminationMessagePolicy', 'imagePullPolicy'),
  ...object('securityContext', securityFields),
  ...plain('stdin', 'stdinOnce', 'tty'),
};

const isEmpty = (value: unknown): boolean =>
  !value || (Array.isArray(value) && value.length === 0) || (isRecord(value) && Object.keys(value).length === 0);

/** Returns the map with sorted keys, because Go writes maps in key order. */
const sortedMap = (map: Readonly<Record<string, unknown>>): unknown =>
  Object.fromEntries(Object.entries(map).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function inOrder(value: unknown, fields: Fields | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => inOrder(item, fields));
  if (!isRecord(value)) return value;
  if (!fields) return sortedMap(value);
  const result: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const inner = value[name];
    const absent = inner === undefined || inner === null;
    if (field.presence === 'always') result[name] = absent ? (field.fields ? {} : '') : inOrder(inner, field.fields);
    else if (!absent && (field.presence === 'pointer' || !isEmpty(inner))) result[name] = inOrder(inner, field.fields);
  }
  return result;
}

/** Returns a hash that any edit of the container changes. Upstream: kubecontainer.HashContainer (v1.20). */
export const hashContainerV120: HashContainer = memoized((container) =>
  hashOfPrintedBytes(goJSON(inOrder(container, containerFieldsV120))),
);
