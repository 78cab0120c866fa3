/** Finds the simulated program for a command line in a container of a given image. */
import type { ImageDefinition } from '../images/catalog.ts';
import { resolvePath } from '../machine/file-system.ts';
import type { Command, LookupFailure, ProcessMachine, Program } from '../machine/process.ts';
import { filePrograms } from './files.ts';
import { monitorPrograms } from './monitor.ts';
import { clientPrograms, netPrograms } from './net.ts';
import { anyService, servicePrograms } from './services.ts';
import { gnuPrograms, systemPrograms } from './system.ts';
import { textPrograms } from './text.ts';

const tools: Readonly<Record<string, Program>> = {
  ...systemPrograms,
  ...filePrograms,
  ...textPrograms,
  ...monitorPrograms,
};

/** The directories that contain the tools of images. In any other directory, a command must be an existing file. */
const toolDirectories = new Set(['/bin', '/sbin', '/usr/bin', '/usr/sbin', '/usr/local/bin', '/usr/local/sbin']);

/** Returns whether the tool is in a masked path of the container. */
const isMaskedTool = ({ files }: ProcessMachine, name: string): boolean =>
  [...toolDirectories].some((directory) => files.isMasked(`${directory}/${name}`));

/** Matches the names that manifests use for a program that shouldn't exist. */
const absentPattern =
  /^(?:missing|nope|typo|bogus|no-?such.*|not-?found.*|non-?exist.*|does-?not-?exist.*|invalid.*)$/i;

const entry = (table: Readonly<Record<string, Program>>, name: string): Program | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

function findTool(image: ImageDefinition, name: string): Program | undefined {
  if (image.programs?.includes(name))
    return entry(servicePrograms, name) ?? entry(clientPrograms, name) ?? entry(tools, name);
  if (image.tools === 'none') return undefined;
  if (image.tools === 'busybox' && name === 'busybox') return busybox;
  const tool =
    (image.tools === 'gnu' ? entry(gnuPrograms, name) : undefined) ??
    entry(tools, name) ??
    (image.tools === 'busybox' ? entry(netPrograms, name) : undefined);
  return tool ?? (image.tools === 'gnu' && name === 'bash' ? entry(systemPrograms, 'sh') : undefined);
}

/** Simulates the multi-call binary: `busybox sleep 5` runs the tool that its first argument names. */
const busybox: Program = (process) => {
  const [name = 'true'] = process.args;
  const program = entry(tools, name) ?? entry(netPrograms, name);
  if (!program) {
    process.stderr.write(`${name}: applet not found\n`);
    return 127;
  }
  process.become(process.args, process.env);
  return program(process);
};

/**
 * Returns the interpreter of an executable file: the program that its first line names; without such a line, the shell.
 */
async function script(
  machine: ProcessMachine,
  image: ImageDefinition,
  path: string,
  args: readonly string[],
): Promise<Program | LookupFailure> {
  if (!machine.files.isExecutable(path)) return 'permission denied';
  const text = await machine.files.read(path);
  const [interpreter = '/bin/sh', option] = (/^#!\s*([^\n]+)/.exec(text)?.[1] ?? '/bin/sh').trim().split(/\s+/);
  const name = (interpreter.endsWith('/env') ? (option ?? 'sh') : interpreter).replace(/^.*\//, '');
  const program = findTool(image, name);
  if (!program) return 'not found';
  return (process) => {
    process.become([name, path, ...args], process.env);
    return program(process);
  };
}

/** Returns a function that finds programs in containers of `image`. */
export function lookupIn(
  image: ImageDefinition,
): (machine: ProcessMachine, command: Command) => Promise<Program | LookupFailure> {
  return async (machine, { argv, cwd }) => {
    const name = argv[0] ?? '';
    const base = name.replace(/^.*\//, '');
    if (name.includes('/')) {
      const path = resolvePath(cwd, name);
      if (machine.files.isMasked(path)) return 'permission denied';
      if (await machine.files.isFile(path)) return script(machine, image, path, argv.slice(1));
      if (await machine.files.isDirectory(path)) return 'permission denied';
      const directory = path.slice(0, path.lastIndexOf('/')) || '/';
      const tool = toolDirectories.has(directory) || image.programs?.includes(base) ? findTool(image, base) : undefined;
      if (tool) return tool;
    } else {
      const tool = base === '' ? undefined : findTool(image, base);
      if (tool) return isMaskedTool(machine, base) ? 'permission denied' : tool;
    }
    return image.anyProgram && base !== '' && !absentPattern.test(base) ? anyService : 'not found';
  };
}
