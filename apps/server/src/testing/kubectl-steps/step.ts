/** Defines a kubectl step, and masks the variable parts of its output. */
import type { Kubectl } from '../kubectl.ts';

/** One command and its expected result. */
export interface Step {
  /** The arguments of `kubectl`. Single quotes group words. NAMESPACE is replaced by the namespace of each kubectl. */
  readonly args: string;
  /** The exit code. Default: 0. */
  readonly code?: number;
  /** The expected output: a string for the whole output, or a pattern for a part of it. */
  readonly stdout?: string | RegExp;
  readonly stderr?: RegExp;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The minor version that added the command or option. Older versions skip the step. */
  readonly since?: number;
  /** True to repeat the step until the output matches. */
  readonly eventually?: true;
  /** True if the output may differ between kubectl versions. */
  readonly differs?: true;
}

/** Splits a command line into arguments. */
export const splitArguments = (text: string): string[] =>
  [...text.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));

/**
 * Masks the parts of an output that differ between runs: namespaces, ages, times, ids, addresses, and the resulting
 * padding.
 */
export const masked = (text: string, { namespace }: Kubectl): string =>
  text
    .replaceAll(namespace, 'NAMESPACE')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/[0-9a-f]{64}/g, 'ID')
    .replaceAll(/\b\d+\.\d+\.\d+\.\d+\b/g, 'ADDRESS')
    .replaceAll(/\b(?:\d+[dhms])+\b/g, 'AGE')
    .replaceAll(/resourceVersion"?: "\d+"/g, 'VERSION')
    .replaceAll(/[ \t]+/g, ' ');
