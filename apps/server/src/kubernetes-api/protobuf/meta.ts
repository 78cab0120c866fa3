/** Defines the protobuf messages of object metadata. Upstream: meta/v1 generated.proto. */
import type { MessageType } from './read-message.ts';

const ownerReference: MessageType = {
  1: ['kind', 'string'],
  3: ['name', 'string'],
  4: ['uid', 'string'],
  5: ['apiVersion', 'string'],
  6: ['controller', 'boolean'],
  7: ['blockOwnerDeletion', 'boolean'],
};

export const objectMeta: MessageType = {
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

export const labelSelector: MessageType = {
  1: ['matchLabels', 'stringMap'],
  2: [
    'matchExpressions',
    { 1: ['key', 'string'], 2: ['operator', 'string'], 3: ['values', 'string', 'repeated'] },
    'repeated',
  ],
};
