/** Checks whether an object from outside has the members of a pod that the observer reads. */
import { isRecord } from '@podscope/base';
import type { Pod } from '@podscope/k8s';

/** Returns true for an object that has the members of a pod that the observer reads. */
export const isPod = (value: unknown): value is Pod =>
  isRecord(value) &&
  isRecord(value['metadata']) &&
  typeof value['metadata']['uid'] === 'string' &&
  isRecord(value['spec']) &&
  Array.isArray(value['spec']['containers']);
