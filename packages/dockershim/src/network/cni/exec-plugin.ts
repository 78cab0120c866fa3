/**
 * Runs a CNI plugin. The parameters are in the environment, the configuration is the input and the result is the
 * output. Upstream: libcni invoke.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CriError } from '@podscope/cri';
import { cniPoints } from '@podscope/flow';
import { goQuote } from '@podscope/k8s/go-quote';
import { type Context, sleep } from '@podscope/trace';
import { z } from 'zod';

/** The commands of the CNI specification. */
export type CniCommand = 'ADD' | 'DEL' | 'CHECK' | 'STATUS' | 'VERSION';

/** The parameters of a call. */
export interface CniCall {
  readonly command: CniCommand;
  /** The plugin's type, which is the name of its program. */
  readonly type: string;
  readonly network: string;
  readonly stdin: object;
  readonly environment: Readonly<Record<string, string>>;
}

/** The number of attempts to start a program that is being replaced (text file busy). */
const busyTries = 6;
const busyPauseMs = 1000;

const errorSchema = z.object({ code: z.number().optional(), msg: z.string(), details: z.string().optional() });

/**
 * Returns the path of a plugin's program.
 * @throws CriError FailedPrecondition if no directory contains it
 */
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

function start(
  path: string,
  stdin: string,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(path, [], { env: { ...process.env, ...environment }, signal, stdio: ['pipe', 'pipe', 'pipe'] });
    const output: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] };
    for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (data: Buffer) => output[name].push(data));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({
        code,
        stdout: Buffer.concat(output.stdout).toString(),
        stderr: Buffer.concat(output.stderr).toString(),
      }),
    );
    // A plugin may end without reading its input, so a failed write isn't an error.
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

async function startUnlessBusy(
  ctx: Context,
  path: string,
  stdin: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ended> {
  for (let tries = 1; ; tries++) {
    try {
      return await start(path, stdin, environment, ctx.signal);
    } catch (error) {
      if (tries === busyTries || (error as NodeJS.ErrnoException).code !== 'ETXTBSY') throw error;
      await sleep(ctx.clock, busyPauseMs, ctx.signal);
    }
  }
}

/** Returns the error of a failed plugin, with its whole text. Upstream: pluginErr (libcni invoke). */
function pluginFailure({ code, stdout, stderr }: Ended): CriError {
  if (!stdout.trim()) {
    const text = stderr.trim()
      ? `netplugin failed: ${goQuote(stderr)}`
      : `netplugin failed with no error message: exit status ${code ?? 'unknown'}`;
    return new CriError('Unknown', text);
  }
  try {
    const { msg, details } = errorSchema.parse(JSON.parse(stdout));
    return new CriError('Unknown', details ? `${msg}; ${details}` : msg);
  } catch (cause) {
    return new CriError(
      'Unknown',
      `netplugin failed but error parsing its diagnostic message ${goQuote(stdout)}: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/**
 * Runs a plugin in a span that contains its input and result.
 * @returns the result; undefined if the plugin wrote no result
 * @throws CriError with the plugin's text
 */
export function execPlugin(
  ctx: Context,
  path: string,
  { command, type, network, stdin, environment }: CniCall,
): Promise<unknown> {
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
