/** Matches objects by the namespace, name and selectors of a request. */
import { badRequest, type StoredObject } from '@podscope/apiserver';
import { parseFieldSelector, parseLabelSelector, SelectorError } from '@podscope/k8s';
import type { Request } from 'express';
import { textParameter } from '../requests/parameters.ts';
import type { ResourceRequest } from '../requests/request-info.ts';

export type Predicate = (object: StoredObject) => boolean;

/** Returns a predicate for the objects of a list, watch or deletion. @throws ApiError BadRequest */
export function selection({ definition, namespace, name }: ResourceRequest, request: Request): Predicate {
  const labelText = textParameter(request, 'labelSelector') ?? '';
  const fieldText = textParameter(request, 'fieldSelector') ?? '';
  try {
    const labels = parseLabelSelector(labelText);
    const fields = parseFieldSelector(fieldText, definition.kind);
    return (object) =>
      (namespace === undefined || object.metadata.namespace === namespace) &&
      (name === undefined || object.metadata.name === name) &&
      labels.matches(object.metadata.labels) &&
      fields.matches(object);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}
