/** Simulates programs that read and change files. */
import type { CapabilityName } from '../kernel/capabilities.ts';
import { permits } from '../kernel/credentials.ts';
import type { Syscall } from '../kernel/seccomp.ts';
import { FileError, resolvePath } from '../machine/file-system.ts';
import type { Process, Program } from '../machine/process.ts';
import { fail, parseOptions, parseSize, pathOf, readOperands } from './support.ts';

/**
 * Checks a system call.
 * @throws FileError when seccomp forbids it or a capability is missing
 */
function check(process: Process, syscall: Syscall, needed?: CapabilityName): void {
  if (!permits(process.machine.credentials, syscall, needed)) throw new FileError('Operation not permitted');
}

/** Runs `change` for each operand and writes errors to stderr. Returns the exit code. */
async function forEach(
  process: Process,
  operands: readonly string[],
  complaint: string,
  change: (path: string, operand: string) => Promise<void>,
): Promise<number> {
  let status = 0;
  for (const operand of operands) {
    try {
      await change(pathOf(process, operand), operand);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      status = fail(process, `${complaint.replace('%', operand)}: ${error.message}`);
    }
  }
  return status;
}

const cat: Program = async (process) => {
  const { operands } = parseOptions(process.args);
  if (operands.includes('/dev/zero') || operands.includes('/dev/urandom')) {
    for (;;) {
      process.stdout.write('\0'.repeat(1 << 20));
      await process.sleep(10);
    }
  }
  const { text, status } = await readOperands(process, operands);
  process.stdout.write(text);
  return status;
};

const touch: Program = (process) =>
  forEach(process, parseOptions(process.args, 'tdr').operands, '%', async (path) => {
    if (!(await process.machine.files.exists(path))) await process.machine.files.write(path, '');
  });

const rm: Program = (process) => {
  const { flags, operands } = parseOptions(process.args);
  const files = process.machine.files;
  return forEach(process, operands, "can't remove '%'", async (path) => {
    if (!(await files.exists(path))) {
      if (flags.has('f')) return;
      throw new FileError('No such file or directory');
    }
    check(process, 'unlink');
    if ((await files.isDirectory(path)) && !flags.has('r') && !flags.has('R')) throw new FileError('Is a directory');
    await files.remove(path);
  });
};

const mkdir: Program = (process) => {
  const { flags, operands } = parseOptions(process.args, 'm');
  return forEach(process, operands, "can't create directory '%'", async (path) => {
    check(process, 'mkdir');
    await process.machine.files.makeDirectory(path, flags.has('p'));
  });
};

const rmdir: Program = (process) =>
  forEach(process, parseOptions(process.args).operands, "'%'", async (path) => {
    if ((await process.machine.files.list(path)).length > 0) throw new FileError('Directory not empty');
    await process.machine.files.remove(path);
  });

const ls: Program = async (process) => {
  const { flags, operands } = parseOptions(process.args);
  const files = process.machine.files;
  return forEach(process, operands.length > 0 ? operands : ['.'], '%', async (path, operand) => {
    if (!(await files.exists(path))) throw new FileError('No such file or directory');
    const isShown = !flags.has('d') && (await files.isDirectory(path));
    const names = isShown
      ? (await files.list(path)).filter((name) => flags.has('a') || !name.startsWith('.'))
      : [operand];
    for (const name of names) process.stdout.write(`${name}\n`);
  });
};

/** Returns a program that copies files: cp, mv or ln. A link is simulated as a copy. */
const copy =
  (move: boolean): Program =>
  (process) => {
    const { operands } = parseOptions(process.args);
    const files = process.machine.files;
    const target = pathOf(process, operands.at(-1) ?? '');
    return forEach(process, operands.slice(0, -1), "can't stat '%'", async (path) => {
      const text = await files.read(path);
      const into = (await files.isDirectory(target)) ? resolvePath(target, path.replace(/^.*\//, '')) : target;
      await files.write(into, text);
      if (move) await files.remove(path);
    });
  };

const chmod: Program = (process) => {
  const [mode = '', ...operands] = parseOptions(process.args).operands;
  const change = (before: number): number => {
    if (/^[0-7]+$/.test(mode)) return Number.parseInt(mode, 8);
    const bits = (mode.includes('x') ? 0o111 : 0) | (mode.includes('w') ? 0o222 : 0) | (mode.includes('r') ? 0o444 : 0);
    return mode.includes('-') ? before & ~bits : before | bits;
  };
  return forEach(process, operands, '%', async (path) => {
    if (!(await process.machine.files.exists(path))) throw new FileError('No such file or directory');
    check(process, 'chmod');
    await process.machine.files.setMode(path, change);
  });
};

const readlink: Program = async (process) => {
  const { flags, operands } = parseOptions(process.args);
  let status = 0;
  for (const operand of operands) {
    const path = pathOf(process, operand);
    const target = path === '/proc/self' ? String(process.pid) : process.machine.files.readLink(path);
    if (target === undefined && !flags.has('f')) status = 1;
    else process.stdout.write(`${target ?? path}\n`);
  }
  return status;
};

/** Simulates `mount --bind` and `mount -t tmpfs`. Without arguments, prints the list of mounts. */
const mount: Program = async (process) => {
  const { flags, values, operands } = parseOptions(process.args, 'to');
  const { files, credentials } = process.machine;
  if (operands.length === 0) {
    process.stdout.write(await files.read(`/proc/${process.pid}/mounts`));
    return 0;
  }
  const [source = '', target = ''] = operands;
  if (!permits(credentials, 'mount', 'SYS_ADMIN')) return fail(process, 'permission denied (are you root?)');
  const isBind = flags.has('bind') || /\bbind\b/.test(values.get('o') ?? '');
  if (!isBind && values.get('t') !== 'tmpfs')
    return fail(process, `mounting ${source} on ${target} failed: No such device`);
  try {
    await files.mount(isBind ? pathOf(process, source) : undefined, pathOf(process, target));
    return 0;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return fail(process, `mounting ${source} on ${target} failed: ${error.message}`);
  }
};

const umount: Program = (process) =>
  forEach(process, parseOptions(process.args).operands, "can't unmount %", async (path) => {
    check(process, 'umount2', 'SYS_ADMIN');
    process.machine.files.unmount(path);
  });

const mktemp: Program = async (process) => {
  const { flags } = parseOptions(process.args, 'tp');
  const path = `/tmp/tmp.${process.machine.random.hex(6)}`;
  if (flags.has('d')) await process.machine.files.makeDirectory(path, true);
  else await process.machine.files.write(path, '');
  process.stdout.write(`${path}\n`);
  return 0;
};

/** Write speed of the disk in bytes per millisecond. */
const diskSpeed = 500_000;

const dd: Program = async (process) => {
  const options = new Map(process.args.map((arg) => [arg.split('=')[0] ?? '', arg.slice(arg.indexOf('=') + 1)]));
  const block = parseSize(options.get('bs') ?? '512') ?? 512;
  const blocks = options.has('count') ? Number(options.get('count')) : Number.POSITIVE_INFINITY;
  if (!process.machine.allocate(process, process.memory + block)) return 137;
  const target = options.get('of') ?? '';
  // Data in an in-memory file system counts as memory of the process that writes it.
  const inMemory = /^\/(dev\/shm|run|tmpfs)\//.test(target);
  const base = process.memory;
  for (let done = 0; done < blocks; ) {
    const step = Math.min(blocks - done, Math.max(1, Math.floor((diskSpeed * 50) / block)));
    await process.sleep(Math.max(1, (step * block) / diskSpeed));
    done += step;
    if (inMemory) process.machine.allocate(process, base + done * block);
  }
  process.stderr.write(`${blocks}+0 records in\n${blocks}+0 records out\n`);
  return 0;
};

export const filePrograms: Readonly<Record<string, Program>> = {
  cat,
  touch,
  rm,
  mkdir,
  rmdir,
  ls,
  cp: copy(false),
  ln: copy(false),
  mv: copy(true),
  chmod,
  chown: () => 0,
  chgrp: () => 0,
  sync: () => 0,
  readlink,
  mount,
  umount,
  mktemp,
  dd,
};
