/** Names what a call is about. */
import type { SpanRecord } from '@podscope/trace';

const textAt = (value: unknown, ...path: readonly string[]): string | undefined => {
  let at = value;
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
  return typeof at === 'string' && at !== '' ? at : undefined;
};

/** Returns the container or image that a span is about, or undefined. */
export const spanSubject = ({ attributes }: SpanRecord): string | undefined =>
  textAt(attributes, 'container') ??
  textAt(attributes, 'container', 'name') ??
  textAt(attributes, 'request', 'config', 'metadata', 'name') ??
  textAt(attributes, 'request', 'image', 'userSpecifiedImage') ??
  textAt(attributes, 'request', 'image', 'image');
