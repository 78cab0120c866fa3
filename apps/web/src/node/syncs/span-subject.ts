/** Names the container or image that a call concerns. */
import type { SpanRecord } from '@podscope/trace';

const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  let at = value;
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  return typeof at === 'string' && at !== '' ? at : undefined;
};

/** Returns the container or image that a call concerns, or undefined. */
export const spanSubject = ({ attributes }: SpanRecord): string | undefined =>
  textAt(attributes, 'container') ??
  textAt(attributes, 'container', 'name') ??
  textAt(attributes, 'request', 'config', 'metadata', 'name') ??
  textAt(attributes, 'request', 'image', 'userSpecifiedImage') ??
  textAt(attributes, 'request', 'image', 'image');
