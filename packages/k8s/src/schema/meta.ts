/** Defines the schema of the parts that every object has. Upstream: metav1 TypeMeta, ObjectMeta. */

import {
  any,
  atomic,
  boolean,
  int64,
  list,
  map,
  mergeList,
  mergeSet,
  type ObjectSchema,
  object,
  type Schema,
  string,
  time,
} from './schema.ts';

const ownerReference = atomic(
  object(
    { apiVersion: string, kind: string, name: string, uid: string, controller: boolean, blockOwnerDeletion: boolean },
    'apiVersion',
    'kind',
    'name',
    'uid',
  ),
);

const managedFieldsEntry = object({
  manager: string,
  operation: string,
  apiVersion: string,
  time,
  fieldsType: string,
  fieldsV1: any,
  subresource: string,
});

const objectMeta = object(
  {
    name: string,
    generateName: string,
    namespace: string,
    selfLink: string,
    uid: string,
    resourceVersion: string,
    generation: int64,
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: int64,
    labels: map(string),
    annotations: map(string),
    ownerReferences: mergeList('uid', ownerReference),
    finalizers: mergeSet(string),
    managedFields: list(managedFieldsEntry),
  },
  'name',
  'uid',
);

/** Returns the schema of an object that has these fields besides type and metadata. */
export function topLevel(fields: Readonly<Record<string, Schema>>, ...required: readonly string[]): ObjectSchema {
  return object(
    { apiVersion: string, kind: string, metadata: objectMeta, ...fields },
    'apiVersion',
    'kind',
    'metadata',
    ...required,
  );
}

export const labelSelector = atomic(
  object({
    matchLabels: map(string),
    matchExpressions: list(object({ key: string, operator: string, values: list(string) })),
  }),
);
