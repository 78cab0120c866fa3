/** What a request's namespace, name and selectors let through. */
import { badRequest, type StoredObject } from '@podscope/cluster';
import { parseFieldSelector, parseLabelSelector, SelectorError } from '@podscope/k8s';
import type { Request } from 'express';
import { textParameter } from './parameters.ts';
import type { ResourceRequest } from './request-info.ts';

export type Predicate = (object: StoredObject) => boolean;

/** The objects a list, watch or deletion is about. Fails with BadRequest. */
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
