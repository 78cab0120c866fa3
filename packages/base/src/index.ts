/** Exports helpers that every package may use. They import no other package and know nothing about pods. */
export { deepEqual } from './deep-equal.ts';
export { aggregateText, asError, errorMessage, errorText, type GoError } from './errors.ts';
export { formatGoDuration, goDurationPattern, parseGoDuration } from './go-duration.ts';
export {
  applyDefaultImageTag,
  type ImageReference,
  ImageReferenceError,
  parseImageReference,
  type ReferenceDialect,
  readImageReference,
} from './image-reference.ts';
export { createRandom, hexDigest, type Random } from './random.ts';
export { isRecord } from './records.ts';
