/** Runs one CNI plugin: parameters in its environment, configuration on its input, result on its output. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CriError } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import { type Context, sleep } from '@podscope/trace';
import { z } from 'zod';
import { cniPoints } from '../../points.ts';

/** What a plugin can be asked to do. */
export type CniCommand = 'ADD' | 'DEL' | 'CHECK' | 'STATUS' | 'VERSION';

/** The parameters of one call. */
export interface CniCall {
  readonly command: CniCommand;
  /** The plugin's program name. */
  readonly type: string;
  readonly network: string;
  readonly stdin: object;
  readonly environment: Readonly<Record<string, string>>;
}

/** A program that is being replaced while it is started is tried again. */
const busyTries = 6;
const busyPauseMs = 1000;

const errorSchema = z.object({ code: z.number().optional(), msg: z.string(), details: z.string().optional() });

/** Finds a plugin's program. @throws CriError FailedPrecondition when no directory has it. */
export async function findPlugin(type: string, directories: readonly string[]): Promise<string> {
  if (!type || type.includes('/')) throw new CriError('FailedPrecondition', `invalid plugin name: ${type}`);
  for (const directory of directories) {
    const path = join(directory, type);
    const isProgram = await Promise.all([stat(path), access(path, constants.X_OK)]).then(
      ([found]) => found.isFile(),
      () => false,
    );
    if (isProgram) return path;
  }
  throw new CriError('FailedPrecondition', `failed to find plugin ${goQuote(type)} in path [${directories.join(' ')}]`);
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function start(path: string, stdin: string, environment: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [], { env: { ...process.env, ...environment }, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (data: Buffer) => output[name].push(data));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(output.stdout).toString(), stderr: Buffer.concat(output.stderr).toString() }));
    // A plugin need not read what it is given.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

async function startUnlessBusy(ctx: Context, path: string, stdin: string, environment: Readonly<Record<string, string>>): Promise<Ended> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(path, stdin, environment, ctx.signal);
    } catch (error) {
      if (tries === busyTries || (error as NodeJS.ErrnoException).code !== 'ETXTBSY') throw error;
      await sleep(ctx.clock, busyPauseMs, ctx.signal);
    }
  }
}

/** A plugin's failure in its own words, whole. Upstream: pluginErr (libcni invoke). */
function pluginFailure({ code, stdout, stderr }: Ended): CriError {
  if (!stdout.trim()) {
    const text = stderr.trim() ? `netplugin failed: ${goQuote(stderr)}` : `netplugin failed with no error message: exit status ${code ?? 'unknown'}`;
    return new CriError('Unknown', text);
  }
  try {
    const { msg, details } = errorSchema.parse(JSON.parse(stdout));
    return new CriError('Unknown', details ? `${msg}; ${details}` : msg);
  } catch (cause) {
    return new CriError('Unknown', `netplugin failed but error parsing its diagnostic message ${goQuote(stdout)}: ${(cause as Error).message}`, { cause });
  }
}

/**
 * Runs a plugin as a span that shows what it was given and what it answered.
 * @returns its result; undefined when it wrote none.
 * @throws CriError with the plugin's own words.
 */
export function execPlugin(ctx: Context, path: string, { command, type, network, stdin, environment }: CniCall): Promise<unknown> {
  const attributes = { plugin: type, network, path, environment, config: stdin };
  return ctx.tracer.span(ctx, cniPoints[command], attributes, async (inner) => {
    const ended = await startUnlessBusy(inner, path, JSON.stringify(stdin), { ...environment, CNI_COMMAND: command });
    if (ended.stderr.trim()) inner.span.set({ stderr: ended.stderr });
    if (ended.code !== 0) throw pluginFailure(ended);
    const result: unknown = ended.stdout.trim() ? JSON.parse(ended.stdout) : undefined;
    if (result !== undefined) inner.span.set({ response: result });
    return result;
  });
}
