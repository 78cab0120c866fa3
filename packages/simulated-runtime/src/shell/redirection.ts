/** Redirects a command's streams: `<`, `>`, `>>`, `2>&1` and here documents. */
import { FileError, type FileSystem } from '../machine/file-system.ts';
import { Process } from '../machine/process.ts';
import { nullOutput, type Output, textInput } from '../machine/streams.ts';
import { pathOf } from '../programs/support.ts';
import type { Streams } from './control.ts';
import { type ExpansionScope, expandText } from './expansion/expansion.ts';
import type { Redirect } from './parse/syntax.ts';

/** The streams of a command after its redirections. */
export interface RedirectedStreams {
  readonly streams: Streams;
  /** Resolves when all output up to now has been written to the files. */
  settled(): Promise<void>;
}

const causeOf = (error: unknown): string => (error instanceof FileError ? error.message : String(error));

/**
 * Applies `redirects` in order and returns the resulting streams.
 * @throws FileError that names the target that can't be opened
 */
export async function redirect(
  scope: ExpansionScope,
  process: Process,
  redirects: readonly Redirect[],
  streams: Streams,
): Promise<RedirectedStreams> {
  const files: FileOutput[] = [];
  let current = streams;
  for (const { descriptor, operator, target: word } of redirects) {
    const target = await expandText(scope, word);
    if (operator === '<<') current = { ...current, stdin: textInput(target) };
    else if (operator === '<') current = { ...current, stdin: textInput(await open(scope, process, target)) };
    else if (operator !== '<&') {
      const output =
        operator === '>&'
          ? target === '2'
            ? current.stderr
            : current.stdout
          : await create(scope, process, target, operator === '>>', current, files);
      current = { ...current, [descriptor === 2 ? 'stderr' : 'stdout']: output };
    }
  }
  return {
    streams: current,
    settled: async () => {
      for (const file of files) await file.settled();
    },
  };
}

async function open(scope: ExpansionScope, process: Process, target: string): Promise<string> {
  try {
    return await scope.files.read(pathOf(process, target));
  } catch (error) {
    throw new FileError(`can't open ${target}: ${causeOf(error)}`);
  }
}

async function create(
  scope: ExpansionScope,
  process: Process,
  target: string,
  append: boolean,
  streams: Streams,
  files: FileOutput[],
): Promise<Output> {
  const path = pathOf(process, target);
  const device = deviceAt(path, process, streams);
  if (device) return device;
  try {
    await scope.files.write(path, '', append);
  } catch (error) {
    throw new FileError(`can't create ${target}: ${causeOf(error)}`);
  }
  const output = new FileOutput(scope.files, path);
  files.push(output);
  return output;
}

/**
 * Returns the output for the path of a device; undefined for another path. Through `/proc/1/fd/1`, scripts write to the
 * container's log.
 */
function deviceAt(path: string, process: Process, streams: Streams): Output | undefined {
  const [, pid, descriptor] = /^\/proc\/(\d+)\/fd\/([12])$/.exec(path) ?? [];
  if (pid !== undefined) {
    const member = process.machine.pidNamespace.member(Number(pid));
    const owner = member === process ? streams : member instanceof Process ? member : undefined;
    return descriptor === '1' ? owner?.stdout : owner?.stderr;
  }
  switch (path) {
    case '/dev/null':
      return nullOutput;
    case '/dev/stdout':
      return streams.stdout;
    case '/dev/stderr':
      return streams.stderr;
    default:
      return undefined;
  }
}

/**
 * Writes output to a file. A write starts immediately, so that other processes see the text, and has finished before
 * the command ends.
 */
class FileOutput implements Output {
  readonly #files: FileSystem;
  readonly #path: string;
  #written: Promise<void> = Promise.resolve();

  constructor(files: FileSystem, path: string) {
    this.#files = files;
    this.#path = path;
  }

  write(text: string): void {
    // A failed write is dropped, as on a full disk. This is rare, because the file has already been opened.
    this.#written = this.#written.then(() => this.#files.write(this.#path, text, true)).catch(() => undefined);
  }

  settled(): Promise<void> {
    return this.#written;
  }
}
