/**
 * Bodies in Kubernetes' protocol buffers: newer kubectls send the small kinds so, and do not try JSON when that is refused. Only what they
 * send is read; everything else comes as JSON. Upstream: the generated.proto files of core/v1 and meta/v1, runtime/serializer/protobuf.
 */
import { badRequest } from '@podscope/cluster';

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** `k8s` and a zero byte begin every document. */
const magic = Uint8Array.from([0x6b, 0x38, 0x73, 0x00]);

type FieldType = 'string' | 'bytes' | 'integer' | 'boolean' | 'time' | 'stringMap' | 'bytesMap' | MessageType;

/** Field numbers to names and types; what is not named is left out, as protocol buffers do. */
interface MessageType {
  readonly [field: number]: readonly [name: string, type: FieldType, repeated?: 'repeated'];
}

const ownerReference: MessageType = {
  1: ['kind', 'string'],
  3: ['name', 'string'],
  4: ['uid', 'string'],
  5: ['apiVersion', 'string'],
  6: ['controller', 'boolean'],
  7: ['blockOwnerDeletion', 'boolean'],
};

const objectMeta: MessageType = {
  1: ['name', 'string'],
  2: ['generateName', 'string'],
  3: ['namespace', 'string'],
  5: ['uid', 'string'],
  6: ['resourceVersion', 'string'],
  8: ['creationTimestamp', 'time'],
  11: ['labels', 'stringMap'],
  12: ['annotations', 'stringMap'],
  13: ['ownerReferences', ownerReference, 'repeated'],
  14: ['finalizers', 'string', 'repeated'],
};

const deleteOptions: MessageType = {
  1: ['gracePeriodSeconds', 'integer'],
  2: ['preconditions', { 1: ['uid', 'string'], 2: ['resourceVersion', 'string'] }],
  3: ['orphanDependents', 'boolean'],
  4: ['propagationPolicy', 'string'],
  5: ['dryRun', 'string', 'repeated'],
};

/** The beginning of the specs of all access reviews. */
const accessReviewSpec: MessageType = {
  1: [
    'resourceAttributes',
    {
      1: ['namespace', 'string'],
      2: ['verb', 'string'],
      3: ['group', 'string'],
      4: ['version', 'string'],
      5: ['resource', 'string'],
      6: ['subresource', 'string'],
      7: ['name', 'string'],
    },
  ],
  2: ['nonResourceAttributes', { 1: ['path', 'string'], 2: ['verb', 'string'] }],
};
const subjectAccessReviewSpec: MessageType = { ...accessReviewSpec, 3: ['user', 'string'], 4: ['groups', 'string', 'repeated'] };

const kinds: Readonly<Record<string, MessageType>> = {
  ConfigMap: { 1: ['metadata', objectMeta], 2: ['data', 'stringMap'], 3: ['binaryData', 'bytesMap'], 4: ['immutable', 'boolean'] },
  Secret: { 1: ['metadata', objectMeta], 2: ['data', 'bytesMap'], 3: ['type', 'string'], 4: ['stringData', 'stringMap'], 5: ['immutable', 'boolean'] },
  Namespace: { 1: ['metadata', objectMeta], 2: ['spec', { 1: ['finalizers', 'string', 'repeated'] }], 3: ['status', { 1: ['phase', 'string'] }] },
  ServiceAccount: {
    1: ['metadata', objectMeta],
    3: ['imagePullSecrets', { 1: ['name', 'string'] }, 'repeated'],
    4: ['automountServiceAccountToken', 'boolean'],
  },
  DeleteOptions: deleteOptions,
  Eviction: { 1: ['metadata', objectMeta], 2: ['deleteOptions', deleteOptions] },
  SelfSubjectReview: { 1: ['metadata', objectMeta] },
  SelfSubjectRulesReview: { 1: ['metadata', objectMeta], 2: ['spec', { 1: ['namespace', 'string'] }] },
  SelfSubjectAccessReview: { 1: ['metadata', objectMeta], 2: ['spec', accessReviewSpec] },
  SubjectAccessReview: { 1: ['metadata', objectMeta], 2: ['spec', subjectAccessReviewSpec] },
  LocalSubjectAccessReview: { 1: ['metadata', objectMeta], 2: ['spec', subjectAccessReviewSpec] },
};

/** Upstream: runtime.Unknown. */
const envelope: MessageType = { 1: ['typeMeta', { 1: ['apiVersion', 'string'], 2: ['kind', 'string'] }], 2: ['raw', 'bytes'] };

/** A value on the wire: a number, or bytes. */
type WireValue = number | Uint8Array;

const malformed = (): Error => badRequest('the object provided is unrecognized: malformed protocol buffers');

/** The fields of a message in their order. */
function* readFields(bytes: Uint8Array): Generator<readonly [field: number, value: WireValue]> {
  let at = 0;
  const varint = (): number => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) throw malformed();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, value));
    }
    throw malformed();
  };
  while (at < bytes.length) {
    const tag = varint();
    const length = { 0: undefined, 1: 8, 2: -1, 5: 4 }[tag % 8];
    if (length === undefined) {
      if (tag % 8 !== 0) throw malformed();
      yield [Math.floor(tag / 8), varint()];
      continue;
    }
    const size = length === -1 ? varint() : length;
    if (size < 0 || at + size > bytes.length) throw malformed();
    yield [Math.floor(tag / 8), bytes.subarray(at, at + size)];
    at += size;
  }
}

const decoder = new TextDecoder();

function readMessage(type: MessageType, bytes: Uint8Array): Record<string, unknown> {
  const message: Record<string, unknown> = {};
  for (const [number, wire] of readFields(bytes)) {
    const definition = type[number];
    if (!definition) continue;
    const [name, fieldType, repeated] = definition;
    const value = readValue(fieldType, wire);
    if (repeated) message[name] = [...((message[name] as readonly unknown[] | undefined) ?? []), value];
    else if (fieldType === 'stringMap' || fieldType === 'bytesMap') message[name] = { ...(message[name] as object | undefined), ...(value as object) };
    // Go writes what is empty; JSON leaves it out.
    else if (value !== undefined && value !== '') message[name] = value;
  }
  return message;
}

function readValue(type: FieldType, wire: WireValue): unknown {
  if (type === 'integer' || type === 'boolean') {
    if (typeof wire !== 'number') throw malformed();
    return type === 'boolean' ? wire !== 0 : wire;
  }
  if (typeof wire === 'number') throw malformed();
  switch (type) {
    case 'string':
      return decoder.decode(wire);
    case 'bytes':
      return Buffer.from(wire).toString('base64');
    case 'time': {
      const { seconds } = readMessage({ 1: ['seconds', 'integer'] }, wire);
      return typeof seconds === 'number' && seconds > 0 ? new Date(seconds * 1000).toISOString().replace('.000Z', 'Z') : undefined;
    }
    case 'stringMap':
    case 'bytesMap': {
      const { key = '', value = '' } = readMessage({ 1: ['key', 'string'], 2: ['value', type === 'stringMap' ? 'string' : 'bytes'] }, wire);
      return Object.fromEntries([[key, value]]);
    }
    default:
      return readMessage(type, wire);
  }
}

/** The object of a body, as JSON would have it. Fails with BadRequest. */
export function decodeProtobuf(body: Uint8Array): unknown {
  if (!magic.every((byte, index) => body[index] === byte)) throw malformed();
  const { typeMeta, raw } = readMessage(envelope, body.subarray(magic.length)) as { typeMeta?: { apiVersion?: string; kind?: string }; raw?: string };
  const { apiVersion = '', kind = '' } = typeMeta ?? {};
  const type = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!type) throw badRequest(`a ${kind || 'body'} is not read from ${protobufMediaType} here: send it as application/json`);
  return { apiVersion, kind, ...readMessage(type, Buffer.from(raw ?? '', 'base64')) };
}
