/**
 * Decodes request bodies in Kubernetes' protocol buffers. Newer kubectl versions send this format and don't retry with
 * JSON. Upstream: the generated.proto files of core/v1 and meta/v1, runtime/serializer/protobuf.
 */
import { badRequest } from '@podscope/apiserver';
import { objectMeta } from './meta.ts';
import { pod } from './pod.ts';
import { type MessageType, malformed, readMessage } from './read-message.ts';

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** The first bytes of every document: `k8s` and a zero byte. */
const magic = Uint8Array.from([0x6b, 0x38, 0x73, 0x00]);

const deleteOptions: MessageType = {
  1: ['gracePeriodSeconds', 'integer'],
  2: ['preconditions', { 1: ['uid', 'string'], 2: ['resourceVersion', 'string'] }],
  3: ['orphanDependents', 'boolean'],
  4: ['propagationPolicy', 'string'],
  5: ['dryRun', 'string', 'repeated'],
};

/** The first fields of the specs of all access reviews, which are equal. */
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
const subjectAccessReviewSpec: MessageType = {
  ...accessReviewSpec,
  3: ['user', 'string'],
  4: ['groups', 'string', 'repeated'],
};

const kinds: Readonly<Record<string, MessageType>> = {
  Pod: pod,
  ConfigMap: {
    1: ['metadata', objectMeta],
    2: ['data', 'stringMap'],
    3: ['binaryData', 'bytesMap'],
    4: ['immutable', 'boolean'],
  },
  Secret: {
    1: ['metadata', objectMeta],
    2: ['data', 'bytesMap'],
    3: ['type', 'string'],
    4: ['stringData', 'stringMap'],
    5: ['immutable', 'boolean'],
  },
  Namespace: {
    1: ['metadata', objectMeta],
    2: ['spec', { 1: ['finalizers', 'string', 'repeated'] }],
    3: ['status', { 1: ['phase', 'string'] }],
  },
  ServiceAccount: {
    1: ['metadata', objectMeta],
    3: ['imagePullSecrets', { 1: ['name', 'string'] }, 'repeated'],
    4: ['automountServiceAccountToken', 'boolean'],
  },
  RuntimeClass: { 1: ['metadata', objectMeta], 2: ['handler', 'string'] },
  DeleteOptions: deleteOptions,
  Eviction: { 1: ['metadata', objectMeta], 2: ['deleteOptions', deleteOptions] },
  TokenRequest: {
    1: ['metadata', objectMeta],
    2: [
      'spec',
      {
        1: ['audiences', 'string', 'repeated'],
        3: [
          'boundObjectRef',
          { 1: ['kind', 'string'], 2: ['apiVersion', 'string'], 3: ['name', 'string'], 4: ['uid', 'string'] },
        ],
        4: ['expirationSeconds', 'integer'],
      },
    ],
  },
  SelfSubjectReview: { 1: ['metadata', objectMeta] },
  SelfSubjectRulesReview: { 1: ['metadata', objectMeta], 2: ['spec', { 1: ['namespace', 'string'] }] },
  SelfSubjectAccessReview: { 1: ['metadata', objectMeta], 2: ['spec', accessReviewSpec] },
  SubjectAccessReview: { 1: ['metadata', objectMeta], 2: ['spec', subjectAccessReviewSpec] },
  LocalSubjectAccessReview: { 1: ['metadata', objectMeta], 2: ['spec', subjectAccessReviewSpec] },
};

/** The message that wraps every object. Upstream: runtime.Unknown. */
const envelope: MessageType = {
  1: ['typeMeta', { 1: ['apiVersion', 'string'], 2: ['kind', 'string'] }],
  2: ['raw', 'bytes'],
};

/** Returns the object of a body in its JSON form. @throws ApiError BadRequest */
export function decodeProtobuf(body: Uint8Array): unknown {
  if (!magic.every((byte, index) => body[index] === byte)) throw malformed();
  const { typeMeta, raw } = readMessage(envelope, body.subarray(magic.length)) as {
    typeMeta?: { apiVersion?: string; kind?: string };
    raw?: string;
  };
  const { apiVersion = '', kind = '' } = typeMeta ?? {};
  const type = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!type)
    throw badRequest(`a ${kind || 'body'} is not read from ${protobufMediaType} here: send it as application/json`);
  return { apiVersion, kind, ...readMessage(type, Buffer.from(raw ?? '', 'base64')) };
}
