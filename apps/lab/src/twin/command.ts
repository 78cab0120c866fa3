/** Implements `twin`: runs recorded pods of a genuine kubelet on Docker with Podscope and compares the runs. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { errorMessage } from '@podscope/base';
import { type CommandBody, onInterrupt, UsageError } from '@podscope/command-line';
import { DockerEngine, engineSocket } from '@podscope/dockershim/testing/docker-engine';
import { compare } from './compare/compare.ts';
import { type ReferenceContainer, readReference } from './compare/reference.ts';
import { provideImages } from './images.ts';
import { rejectLeftovers } from './leftovers.ts';
import { findRecordings, lastAction, type Recording } from './recording.ts';
import { replay } from './run/replay.ts';

const help = `Usage: npx -y pnpm@12 twin DIR [options]

Runs the pod of each recording in and below DIR (*.json) on Docker, with the profile of the recorded kubelet (v1.20 or
v1.36), repeats the recorded actions, and compares. Exact: the set of events, the order of creates and starts, bodies
and ends of containers. In order: statuses that lasted. Within bands: times. In recordings of v1.36, what cri-dockerd
decides isn't compared. Other files and directories named calls are ignored. docs/develop/twin.md has the details.
Exit code 1 when a recording differs.

Options:
  --only NAME          Only recordings whose name contains NAME; can be given several times.
  --concurrency N      Pods that run at the same time (default: 8). Each has a kubelet of its own.
  --tries N            Runs before a recording counts as different (default: 3). Where timing decides, a busy machine
                       can differ. The result names recordings that needed more than one.
  --all                Print all differences, not only the first of each recording.
  --docker SOCKET      The engine's socket (default: of $DOCKER_HOST, else /var/run/docker.sock).`;

/**
 * Milliseconds between the starts of pods, as in the recordings. Pods that start at the same moment would delay each
 * other in the engine.
 */
const startInterval = 3000;

interface Options {
  readonly path: string;
  readonly only: readonly string[];
  readonly concurrency: number;
  readonly tries: number;
  readonly all: boolean;
  readonly socket: string;
}

function parse(args: readonly string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true },
        concurrency: { type: 'string' },
        tries: { type: 'string' },
        all: { type: 'boolean' },
        docker: { type: 'string' },
      },
    });
    const [path, ...more] = positionals;
    if (path === undefined || more.length > 0)
      throw new UsageError('twin needs one directory of recordings (see --help)');
    const count = (name: 'concurrency' | 'tries', fallback: number): number => {
      const value = Number(values[name] ?? fallback);
      if (!Number.isInteger(value) || value < 1)
        throw new UsageError(`--${name} ${JSON.stringify(values[name])} is not a number from 1 on`);
      return value;
    };
    return {
      path,
      only: values.only ?? [],
      concurrency: count('concurrency', 8),
      tries: count('tries', 3),
      all: values.all ?? false,
      socket: values.docker ?? engineSocket(),
    };
  } catch (error) {
    if (error instanceof UsageError || !(error instanceof TypeError)) throw error;
    throw new UsageError(`${error.message.split('\n')[0]} (see --help)`, { cause: error });
  }
}

/**
 * Runs recordings concurrently and reports the differences of each. The longest starts first, which shortens the total
 * time.
 */
async function runAll(
  recordings: readonly Recording[],
  concurrency: number,
  engine: DockerEngine,
  reference: ReferenceContainer,
  signal: AbortSignal,
  onResult: (recording: Recording, differences: readonly string[]) => void,
): Promise<void> {
  const queue = recordings.toSorted((a, b) => lastAction(b) - lastAction(a));
  let nextStart = performance.now();
  const worker = async (): Promise<void> => {
    for (let recording = queue.shift(); recording; recording = queue.shift()) {
      const wait = nextStart - performance.now();
      nextStart = Math.max(nextStart, performance.now()) + startInterval;
      await delay(Math.max(0, wait), undefined, { signal });
      onResult(recording, await differencesOf(recording, engine, reference, signal));
    }
  };
  // Waits for all workers even when interrupted, because each must remove what it created.
  const ended = await Promise.allSettled(Array.from({ length: Math.min(concurrency, queue.length) }, worker));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}

/**
 * Runs all recordings, repeats those that differ, and prints each result once it is final.
 * @returns the number that agree
 */
async function judge(
  recordings: readonly Recording[],
  options: Options,
  engine: DockerEngine,
  reference: ReferenceContainer,
  signal: AbortSignal,
): Promise<number> {
  const firstDifference = new Map<string, string>();
  let same = 0;
  let open = recordings;
  for (let attempt = 1; attempt <= options.tries && open.length > 0; attempt++) {
    const again: Recording[] = [];
    // A repeated run has less concurrency, and the last attempt runs alone.
    const concurrency = attempt === 1 ? options.concurrency : Math.min(attempt === 2 ? 2 : 1, options.concurrency);
    await runAll(open, concurrency, engine, reference, signal, (recording, differences) => {
      const { name } = recording;
      const earlier = firstDifference.get(name);
      const [first] = differences;
      if (first === undefined) {
        same += 1;
        console.log(`same     ${name}${earlier === undefined ? '' : ` (at try ${attempt}; before: ${earlier})`}`);
      } else if (attempt < options.tries) {
        firstDifference.set(name, first);
        again.push(recording);
        console.error(`${name} differs at try ${attempt} and is run again: ${first}`);
      } else {
        console.log(`differs  ${name}: ${first}`);
        if (options.all) for (const difference of differences.slice(1)) console.log(`         ${difference}`);
      }
    });
    open = again;
  }
  return same;
}

async function differencesOf(
  recording: Recording,
  engine: DockerEngine,
  reference: ReferenceContainer,
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    return await compare(recording, await replay(recording, engine, signal), reference);
  } catch (error) {
    signal.throwIfAborted();
    return [`the run failed: ${errorMessage(error)}`];
  }
}

export const command: CommandBody = {
  help,
  examples: [
    ['twin apps/lab/recordings/v1.36', 'Run all recorded pods'],
    ['twin apps/lab/recordings/v1.20 --only crash', 'Run one of them'],
  ],
  async run(args) {
    const options = parse(args);
    const found = await findRecordings(options.path);
    const isMeant = (name: string): boolean =>
      options.only.length === 0 || options.only.some((part) => name.includes(part));
    const recordings = found.recordings.filter(({ name }) => isMeant(name));
    const unreadable = [...found.unreadable].filter(([name]) => isMeant(name));
    if (found.ignored.length > 0) console.error(`Other files, left alone: ${found.ignored.join(', ')}`);
    for (const [name, reason] of unreadable) console.log(`differs  ${name}: not a readable recording: ${reason}`);
    if (recordings.length + unreadable.length === 0)
      throw new UsageError(
        `there is no recording in ${options.path}${options.only.length > 0 ? ' with such a name' : ''}`,
      );
    const engine = new DockerEngine(options.socket);
    await rejectLeftovers(engine, recordings);
    const total = recordings.length + unreadable.length;
    const longest = Math.ceil(Math.max(0, ...recordings.map(lastAction)) / 1000);
    console.error(
      `${recordings.length} recordings, ${Math.min(options.concurrency, recordings.length)} at a time; the ` +
        `longest takes more than ${longest} s.`,
    );
    const release = await provideImages(engine, recordings, (image) =>
      console.error(
        `The engine has no image ${image}: what was recorded with it will differ. Pull it, or tag one with that name.`,
      ),
    );
    const interrupt = onInterrupt();
    try {
      const reference = await readReference(engine, 'busybox:1.36');
      const same = await judge(recordings, options, engine, reference, interrupt.signal);
      console.log(`${same} same, ${total - same} differ`);
      return same === total ? 0 : 1;
    } catch (error) {
      if (interrupt.signal.aborted) return 130;
      throw error;
    } finally {
      interrupt.end();
      await release();
    }
  },
};
