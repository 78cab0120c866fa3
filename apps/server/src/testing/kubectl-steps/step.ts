/** A command of the table, and how its output is made comparable. */
import type { Kubectl } from '../kubectl.ts';

/** One command and what must come of it. */
export interface Step {
  /** As typed after `kubectl`; single quotes hold words together, NAMESPACE stands for the program's own. */
  readonly args: string;
  /** Exit code. Default 0. */
  readonly code?: number;
  /** All of it, or a part of it. */
  readonly stdout?: string | RegExp;
  readonly stderr?: RegExp;
  readonly stdin?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Minor version that brought the command or option: older kubectls are skipped. */
  readonly since?: number;
  /** Tried until the output matches. */
  readonly eventually?: true;
  /** Kubectls of different ages word it differently. */
  readonly differs?: true;
}

/** Words of a command line. */
export const splitArguments = (text: string): string[] => [...text.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ''));

/** What differs from run to run: namespaces, ages, times, ids, addresses, and the padding that comes of them. */
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
