/** Completes a debug configuration. Without launch.json, uses the document in the active editor. */
import { resolve } from 'node:path';
import type { FoundPod } from '../manifests/find-pods.ts';

/** Fields of a debug configuration that this extension reads or sets. The adapter validates all of them. */
export interface PodscopeConfiguration {
  readonly type: string;
  readonly name: string;
  readonly request: string;
  readonly program?: string | undefined;
  readonly scenario?: string | undefined;
  readonly [field: string]: unknown;
}

/** The document in the active editor. */
export interface OpenDocument {
  /** Path that the adapter can read. */
  readonly path: string;
  readonly pods: readonly FoundPod[];
}

/** The reason why a session can't be started with a configuration. */
export type ConfigurationProblem = 'noDocument' | 'noPod' | 'bothPrograms' | 'noUrl' | 'noToken';

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * Returns the complete configuration, or the reason why it can't be used. F5 without launch.json passes a configuration
 * without type, name and request; the result then runs the pods of the active document.
 */
export function resolveConfiguration(
  given: Readonly<Record<string, unknown>>,
  document: OpenDocument | undefined,
): PodscopeConfiguration | ConfigurationProblem {
  const request = text(given['request']) ?? 'launch';
  const { program: _program, scenario: _scenario, ...rest } = given;
  const common = { ...rest, type: 'podscope', request };
  if (request === 'attach') {
    if (text(given['url']) === undefined) return 'noUrl';
    if (text(given['token']) === undefined) return 'noToken';
    return { ...common, name: text(given['name']) ?? 'Attach to Podscope' };
  }
  const [program, scenario] = [text(given['program']), text(given['scenario'])];
  if (program !== undefined && scenario !== undefined) return 'bothPrograms';
  if (scenario !== undefined) return { ...common, name: text(given['name']) ?? `Scenario ${scenario}`, scenario };
  if (program !== undefined) return { ...common, name: text(given['name']) ?? 'Debug a pod', program };
  if (!document) return 'noDocument';
  const [first] = document.pods;
  if (!first) return 'noPod';
  return { ...common, name: text(given['name']) ?? `Debug ${first.name ?? 'a pod'}`, program: document.path };
}

/**
 * Returns the configuration with absolute paths, because the adapter may run in another directory. Relative paths are
 * resolved in the given folder. Without a folder, the paths stay unchanged.
 */
export function withAbsolutePaths<C extends Readonly<Record<string, unknown>>>(
  configuration: C,
  folder: string | undefined,
): C {
  if (folder === undefined) return configuration;
  const paths = ['program', 'simulation', 'faults', 'stateDir'].flatMap((field) => {
    const path = text(configuration[field]);
    return path === undefined ? [] : [[field, resolve(folder, path)]];
  });
  return { ...configuration, ...Object.fromEntries(paths) };
}
