/** Masks the texts of a span that quote commands, images and addresses, before the span leaves the node. */
import type { RecognizedSecretMask } from '@podscope/node/secrets';
import type { ObservedSpan } from '@podscope/observer';

/**
 * The attributes whose texts come from specs or from messages of the runtime. All other attributes are names and codes.
 */
const free: ReadonlySet<string> = new Set([
  'container.image.name',
  'k8s.container.status.reason',
  'podscope.differences',
]);

/** Returns the span with the secrets in its error, its image and its differences masked. */
export function maskedSpan(span: ObservedSpan, mask: Pick<RecognizedSecretMask, 'text'>): ObservedSpan {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    return typeof value === 'string' ? mask.text(value) : value;
  };
  const attributes = Object.entries(span.attributes).map(([key, value]) => [key, free.has(key) ? clean(value) : value]);
  return {
    ...span,
    attributes: Object.fromEntries(attributes),
    error: span.error === undefined ? undefined : mask.text(span.error),
  };
}
