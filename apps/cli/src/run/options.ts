/** Parses the command line of `podscope run`. */
import { errorMessage, parseGoDuration } from '@podscope/base';
import { readArguments, UsageError } from '@podscope/command-line';
import type { BreakpointSpec, ExceptionFilterSpec } from '@podscope/protocol';
import { parseFeatureGates } from '@podscope/server/embed';
import type { SimulationSettings } from '@podscope/simulated-runtime';
import type { Milliseconds } from '@podscope/trace';
import { BreakSpecError, parseBreakArgument } from '../break-spec.ts';

/** The condition at which a run ends. */
export type Until = { readonly state: 'running' | 'succeeded' | 'failed' | 'settled' } | { readonly step: string };

/** Options of the node. `podscope dap` has the same options. */
export interface NodeOptions {
  readonly runtime: string;
  readonly profile: 'v1.36' | 'v1.20';
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Seed of the simulator's random numbers. */
  readonly seed: string | undefined;
  /** Settings of the simulator. */
  readonly simulation: SimulationSettings | undefined;
  /** The state directory. If undefined, a temporary directory is used and deleted at the end. */
  readonly stateDir: string | undefined;
  readonly keepPods: boolean;
  readonly allowPrivileged: boolean;
  readonly allowHostPath: boolean;
  readonly allowHostNamespaces: boolean;
}

export interface RunOptions extends Omit<NodeOptions, 'simulation'> {
  readonly file: string;
  /** Path of the simulation document. */
  readonly simulation: string | undefined;
  readonly until: Until;
  readonly breakpoints: readonly BreakpointSpec[];
  readonly filters: readonly ExceptionFilterSpec[];
  /** Path of the file with the fault plan. */
  readonly faults: string | undefined;
  readonly timeout: Milliseconds;
  /** True to report stops and continue at once. */
  readonly goOn: boolean;
  readonly json: boolean;
  /** Path of the file to which the run is written. */
  readonly record: string | undefined;
}

const states = ['running', 'succeeded', 'failed', 'settled'] as const;

const flags = {
  runtime: { type: 'string', default: 'auto' },
  profile: { type: 'string', default: 'v1.36' },
  'feature-gates': { type: 'string' },
  until: { type: 'string', default: 'settled' },
  break: { type: 'string', multiple: true },
  faults: { type: 'string' },
  seed: { type: 'string' },
  simulation: { type: 'string' },
  timeout: { type: 'string', default: '10m' },
  continue: { type: 'boolean' },
  keep: { type: 'boolean' },
  'state-dir': { type: 'string' },
  json: { type: 'boolean' },
  record: { type: 'string' },
  'allow-privileged': { type: 'boolean' },
  'allow-host-path': { type: 'boolean' },
  'allow-host-namespaces': { type: 'boolean' },
} as const;

/**
 * Parses a Go duration such as `90s` or `1m30s`. Returns milliseconds.
 * @throws UsageError for a negative or invalid duration
 */
export function parseDuration(text: string, option: string): Milliseconds {
  const duration = parseGoDuration(text);
  if (duration === undefined || text.startsWith('-'))
    throw new UsageError(`${option} ${JSON.stringify(text)} is not a duration such as 90s, 5m or 1h30m`);
  return duration;
}

function parseUntil(text: string): Until {
  const state = states.find((candidate) => candidate === text);
  if (state) return { state };
  const step = /^step:(.+)$/.exec(text)?.[1];
  if (step === undefined)
    throw new UsageError(`--until ${JSON.stringify(text)} is not one of ${states.join(', ')}, step:NAME`);
  return { step };
}

/** Returns the runtime after validating it. @throws UsageError for an unknown runtime */
function checkRuntime(runtime: string): string {
  if (!/^(?:auto|docker|sim|unix:\/\/\/[^/].*)$/.test(runtime))
    throw new UsageError(`--runtime ${JSON.stringify(runtime)} is not auto, docker, sim or unix:///path/of/a.sock`);
  return runtime;
}

/** Returns the profile after validating it. @throws UsageError for an unknown profile */
function checkProfile(profile: string): NodeOptions['profile'] {
  if (profile !== 'v1.36' && profile !== 'v1.20')
    throw new UsageError(`--profile ${JSON.stringify(profile)} is not v1.36 or v1.20`);
  return profile;
}

/** Parses the feature gates. @throws UsageError for a feature gate that the release doesn't have */
function readFeatureGates(text: string | undefined, profile: NodeOptions['profile']): NodeOptions['featureGates'] {
  try {
    return parseFeatureGates(text, profile);
  } catch (error) {
    throw new UsageError(errorMessage(error), { cause: error });
  }
}

/** Parses the command line. @throws UsageError for an invalid option or argument */
export function parseRunOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = readArguments(args, flags, 'run');
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0)
    throw new UsageError('run takes one manifest: a YAML or JSON file, or - for standard input');
  const runtime = checkRuntime(values.runtime);
  // These options apply only to the simulator.
  const simulated = (['seed', 'simulation'] as const).find((name) => values[name] !== undefined);
  if (simulated !== undefined && runtime !== 'sim' && runtime !== 'auto')
    throw new UsageError(`--${simulated} is for the simulator, not for --runtime ${runtime}`);
  const stops = (values.break ?? []).map((text) => {
    try {
      return parseBreakArgument(text);
    } catch (error) {
      if (error instanceof BreakSpecError)
        throw new UsageError(`--break ${JSON.stringify(text)}: ${error.message}`, { cause: error });
      throw error;
    }
  });
  const profile = checkProfile(values.profile);
  return {
    file,
    runtime: simulated === undefined ? runtime : 'sim',
    profile,
    featureGates: readFeatureGates(values['feature-gates'], profile),
    seed: values.seed,
    simulation: values.simulation,
    until: parseUntil(values.until),
    breakpoints: stops.flatMap((stop) => ('breakpoint' in stop ? [stop.breakpoint] : [])),
    filters: stops.flatMap((stop) => ('filter' in stop ? [stop.filter] : [])),
    faults: values.faults,
    timeout: parseDuration(values.timeout, '--timeout'),
    goOn: values.continue === true,
    json: values.json === true,
    record: values.record,
    keepPods: values.keep === true,
    stateDir: values['state-dir'],
    allowPrivileged: values['allow-privileged'] === true,
    allowHostPath: values['allow-host-path'] === true,
    allowHostNamespaces: values['allow-host-namespaces'] === true,
  };
}
