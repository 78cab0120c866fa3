/** What `podscope run` is asked for. */
import type { BreakpointSpec, ExceptionFilterSpec } from '@podscope/protocol';
import { parseFeatureGates } from '@podscope/server/embed';
import type { SimulationSettings } from '@podscope/simulator';
import type { Milliseconds } from '@podscope/trace';
import { BreakSpecError, parseBreakArgument } from '../break-spec.ts';
import { UsageError } from '../command.ts';
import { readArguments } from '../runs/run-source.ts';

/** When a run has come to where it was to go. */
export type Until = { readonly state: 'running' | 'succeeded' | 'failed' | 'settled' } | { readonly step: string };

/** What the node is like: shared with `podscope dap`. */
export interface NodeOptions {
  readonly runtime: string;
  readonly profile: 'v1.36' | 'v1.20';
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** Of the simulator. */
  readonly seed: string | undefined;
  /** What the simulator's node is like. */
  readonly simulation: SimulationSettings | undefined;
  /** Undefined: one of its own, deleted at the end. */
  readonly stateDir: string | undefined;
  readonly keepPods: boolean;
  readonly allowPrivileged: boolean;
  readonly allowHostPath: boolean;
  readonly allowHostNamespaces: boolean;
}

export interface RunOptions extends Omit<NodeOptions, 'simulation'> {
  readonly file: string;
  /** File of a simulation document. */
  readonly simulation: string | undefined;
  readonly until: Until;
  readonly breakpoints: readonly BreakpointSpec[];
  readonly filters: readonly ExceptionFilterSpec[];
  /** File of a fault plan. */
  readonly faults: string | undefined;
  readonly timeout: Milliseconds;
  /** Tell of stops and go on. */
  readonly goOn: boolean;
  readonly json: boolean;
  /** File to write the run to. */
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

const units: Readonly<Record<string, Milliseconds>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** `90s`, `1m30s`, `250ms` in milliseconds. @throws UsageError */
export function parseDuration(text: string, option: string): Milliseconds {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text))
    throw new UsageError(`${option} ${JSON.stringify(text)} is not a length of time such as 90s, 5m or 1h30m`);
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce((sum, [, amount, unit]) => sum + Number(amount) * (units[unit ?? 'ms'] ?? 1), 0);
}

function parseUntil(text: string): Until {
  const state = states.find((candidate) => candidate === text);
  if (state) return { state };
  const step = /^step:(.+)$/.exec(text)?.[1];
  if (step === undefined) throw new UsageError(`--until ${JSON.stringify(text)} is not one of ${states.join(', ')}, step:NAME`);
  return { step };
}

/** @throws UsageError for a runtime that is none */
function checkRuntime(runtime: string): string {
  if (!/^(?:auto|docker|sim|unix:\/\/\/[^/].*)$/.test(runtime))
    throw new UsageError(`--runtime ${JSON.stringify(runtime)} is not auto, docker, sim or unix:///path/of/a.sock`);
  return runtime;
}

/** @throws UsageError for a profile that is none */
function checkProfile(profile: string): NodeOptions['profile'] {
  if (profile !== 'v1.36' && profile !== 'v1.20') throw new UsageError(`--profile ${JSON.stringify(profile)} is not v1.36 or v1.20`);
  return profile;
}

/** @throws UsageError naming the gate that the release does not have */
function readFeatureGates(text: string | undefined, profile: NodeOptions['profile']): NodeOptions['featureGates'] {
  try {
    return parseFeatureGates(text, profile);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Reads the command line.
 * @throws UsageError naming what is wrong with it
 */
export function parseRunOptions(args: readonly string[]): RunOptions {
  const { values, positionals } = readArguments(args, flags, 'run');
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new UsageError('run takes one manifest: a YAML or JSON file, or - for standard input');
  const runtime = checkRuntime(values.runtime);
  // Chance that can be repeated, and a node that is as it is told to be, are the simulator's alone.
  const simulated = (['seed', 'simulation'] as const).find((name) => values[name] !== undefined);
  if (simulated !== undefined && runtime !== 'sim' && runtime !== 'auto')
    throw new UsageError(`--${simulated} is for the simulator, not for --runtime ${runtime}`);
  const stops = (values.break ?? []).map((text) => {
    try {
      return parseBreakArgument(text);
    } catch (error) {
      if (error instanceof BreakSpecError) throw new UsageError(`--break ${JSON.stringify(text)}: ${error.message}`, { cause: error });
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
