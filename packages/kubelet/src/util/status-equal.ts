/** Compares statuses and specs as the kubelet does after decoding JSON: null and empty lists count as absent. */
import { deepEqual } from '@podscope/base';

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** True when two JSON values are equal. Null and an empty list count as absent; an empty object doesn't. */
export const statusEqual = (a: unknown, b: unknown): boolean => deepEqual(a, b, isAbsent);
