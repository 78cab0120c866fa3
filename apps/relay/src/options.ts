/** Parses the arguments of the relay's processes, which `podscope observe` and the systemd unit pass. */
import { parseArgs } from 'node:util';

/** Paths of the sockets, and the version that the relay reports. */
export interface RelayOptions {
  readonly listen: string;
  readonly runtime: string;
  readonly imageRuntime?: string | undefined;
  readonly control: string;
  readonly version: string;
  /** How long a call waits for the debugger's answer, in milliseconds. Tests wait longer than the default. */
  readonly answerWithin?: number | undefined;
}

/**
 * The option of Node.js and the environment variables that limit the relay's memory. Large messages pass through the
 * relay in buffers of 64 KiB. With glibc's default settings, freed buffers stay in the heaps of several threads; with
 * these values they are returned to the system. Other C libraries ignore the variables.
 */
export const relayNodeOption = '--max-semi-space-size=1';
export const relayEnvironment = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '65536',
  MALLOC_TRIM_THRESHOLD_: '131072',
} as const;

/** @throws Error naming the missing or unknown argument */
export function parseRelayOptions(args: readonly string[]): RelayOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      listen: { type: 'string' },
      runtime: { type: 'string' },
      'image-runtime': { type: 'string' },
      control: { type: 'string' },
      'podscope-version': { type: 'string' },
      'answer-within': { type: 'string' },
    },
    strict: true,
  });
  const { listen, runtime, control, 'answer-within': answerWithin } = values;
  if (!listen || !runtime || !control) throw new Error('the relay needs --listen, --runtime and --control');
  return {
    listen,
    runtime,
    imageRuntime: values['image-runtime'],
    control,
    version: values['podscope-version'] ?? 'unknown',
    ...(answerWithin === undefined ? {} : { answerWithin: Number(answerWithin) }),
  };
}

/** Returns the arguments for {@link parseRelayOptions}. */
export function relayArguments(options: RelayOptions): string[] {
  const { listen, runtime, imageRuntime, control, version, answerWithin } = options;
  const image = imageRuntime === undefined ? [] : ['--image-runtime', imageRuntime];
  const own = ['--control', control, '--podscope-version', version];
  const wait = answerWithin === undefined ? [] : ['--answer-within', String(answerWithin)];
  return ['--listen', listen, '--runtime', runtime, ...image, ...own, ...wait];
}
