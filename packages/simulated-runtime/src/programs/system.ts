/** Simulates programs that concern time, processes and the machine. */
import type { Instant } from '@podscope/trace';
import { userName } from '../containers/users.ts';
import { permits } from '../kernel/credentials.ts';
import { FileError } from '../machine/file-system.ts';
import type { Process, Program } from '../machine/process.ts';
import { parseSignal } from '../machine/signals.ts';
import { isTerminal } from '../machine/streams.ts';
import { builtins } from '../shell/builtins.ts';
import { Shell } from '../shell/shell.ts';
import { fail, parseDuration, parseOptions, parseSize, pathOf } from './support.ts';

/** Simulates the shell: `sh -c SCRIPT [NAME [ARG…]]`, `sh FILE [ARG…]`, or commands from standard input. */
const sh: Program = async (process) => {
  const args = [...process.args];
  const options: string[] = [];
  while (/^-[a-z]+$/.test(args[0] ?? '')) options.push(...(args.shift() ?? '').slice(1).split(''));
  let script: string | undefined;
  let name = process.argv[0] ?? 'sh';
  if (options.includes('c')) {
    script = args.shift();
    if (script === undefined) return fail(process, '-c requires an argument', 2);
    name = args.shift() ?? name;
  } else if (args[0] !== undefined && !options.includes('s')) {
    name = args.shift() ?? '';
    try {
      script = await process.machine.files.read(pathOf(process, name));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return fail(process, `can't open '${name}': ${error.message}`, 2);
    }
  }
  const shell = new Shell(process, undefined, name, args);
  shell.options.errexit = options.includes('e');
  shell.options.xtrace = options.includes('x');
  shell.options.nounset = options.includes('u');
  if (script !== undefined) return shell.main(script);
  return isTerminal(process.stdin) ? shell.interactive(process.stdin) : shell.readScript(process.stdin);
};

/** Returns a program that runs a builtin of the shell, for example `/bin/echo`, or `test -f …` in an exec probe. */
const asProgram =
  (name: string): Program =>
  async (process) =>
    (await builtins[name]?.(new Shell(process), process.args, process)) ?? 127;

const sleep: Program = async (process) => {
  let total = 0;
  if (process.args.length === 0) return fail(process, 'missing operand');
  for (const arg of process.args) {
    const duration = parseDuration(arg);
    if (duration === undefined) return fail(process, `invalid number '${arg}'`);
    total += duration;
  }
  if (total === Number.POSITIVE_INFINITY) return process.forever();
  await process.sleep(total);
  return 0;
};

const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Formats an instant in UTC. Supports the strftime conversions that scripts commonly use. */
export function strftime(format: string, at: Instant): string {
  const date = new Date(Math.floor(at));
  const [day, month] = [days[date.getUTCDay()] ?? '', months[date.getUTCMonth()] ?? ''];
  const fields: Readonly<Record<string, string>> = {
    Y: String(date.getUTCFullYear()),
    m: pad(date.getUTCMonth() + 1),
    d: pad(date.getUTCDate()),
    e: String(date.getUTCDate()).padStart(2),
    H: pad(date.getUTCHours()),
    M: pad(date.getUTCMinutes()),
    S: pad(date.getUTCSeconds()),
    N: pad(date.getUTCMilliseconds(), 3) + '000000',
    s: String(Math.floor(at / 1000)),
    a: day.slice(0, 3),
    A: day,
    b: month.slice(0, 3),
    B: month,
    Z: 'UTC',
    z: '+0000',
    n: '\n',
    '%': '%',
  };
  const wide = format
    .replaceAll('%F', '%Y-%m-%d')
    .replaceAll('%T', '%H:%M:%S')
    .replaceAll('%R', '%H:%M')
    .replaceAll('%c', '%a %b %e %H:%M:%S %Y');
  return wide.replaceAll(/%(.)/g, (whole, letter: string) => fields[letter] ?? whole);
}

const date: Program = (process) => {
  const format = process.args.find((arg) => arg.startsWith('+'))?.slice(1);
  const iso = process.args.some((arg) => arg.startsWith('-I') || arg.startsWith('--iso'));
  process.stdout.write(
    `${strftime(format ?? (iso ? '%FT%T+00:00' : '%a %b %e %T %Z %Y'), process.machine.clock.now())}\n`,
  );
  return 0;
};

const id: Program = (process) => {
  const { uid, gid, supplementalGroups } = process.machine.credentials;
  const { flags } = parseOptions(process.args);
  const groups = [gid, ...supplementalGroups.filter((each) => each !== gid)];
  const format = (ids: readonly number[]): string =>
    ids.map((each) => (flags.has('n') ? userName(each) : String(each))).join(' ');
  if (flags.has('u')) process.stdout.write(`${format([uid])}\n`);
  else if (flags.has('g')) process.stdout.write(`${format([gid])}\n`);
  else if (flags.has('G')) process.stdout.write(`${format(groups)}\n`);
  else {
    const named = (each: number): string =>
      userName(each) === String(each) ? String(each) : `${each}(${userName(each)})`;
    const more = groups.length > 1 ? ` groups=${groups.map(named).join(',')}` : '';
    process.stdout.write(`uid=${named(uid)} gid=${named(gid)}${more}\n`);
  }
  return 0;
};

/** Simulates `stty`: prints the size of the terminal. */
const stty: Program = (process) => {
  const { size } = process.stdin;
  if (!size) return fail(process, 'standard input: Inappropriate ioctl for device');
  if (process.args[0] === 'size') process.stdout.write(`${size.height} ${size.width}\n`);
  else process.stdout.write(`speed 38400 baud; rows ${size.height}; columns ${size.width}; line = 0;\n`);
  return 0;
};

const tty: Program = (process) => {
  process.stdout.write(isTerminal(process.stdin) ? '/dev/pts/0\n' : 'not a tty\n');
  return isTerminal(process.stdin) ? 0 : 1;
};

/** Replaces the program of a process, as the exec system call does. */
async function become(process: Process, argv: readonly string[], env = process.env): Promise<number> {
  const program = await process.machine.lookup({ argv, cwd: process.cwd, env });
  if (typeof program === 'string')
    return fail(
      process,
      `can't execute '${argv[0]}': ${program === 'not found' ? 'No such file or directory' : 'Permission denied'}`,
      program === 'not found' ? 127 : 126,
    );
  process.become(argv, env);
  return program(process);
}

const env: Program = (process) => {
  const environment = new Map(process.env);
  const args = [...process.args];
  if (args[0] === '-i') {
    args.shift();
    environment.clear();
  }
  while (/^[A-Za-z_]\w*=/.test(args[0] ?? '')) {
    const [name = '', ...value] = (args.shift() ?? '').split('=');
    environment.set(name, value.join('='));
  }
  if (args.length > 0) return become(process, args, environment);
  for (const [name, value] of environment) process.stdout.write(`${name}=${value}\n`);
  return 0;
};

const printenv: Program = (process) => {
  if (process.args.length === 0) return env(process);
  let status = 0;
  for (const name of process.args) {
    const value = process.env.get(name);
    if (value === undefined) status = 1;
    else process.stdout.write(`${value}\n`);
  }
  return status;
};

/**
 * Simulates `timeout`. When the time has passed, GNU's `timeout` exits with its own code, and busybox's `timeout` exits
 * with the code of the command.
 */
const timeout =
  (expiredCode: number | undefined): Program =>
  async (process) => {
    const { values, operands } = parseOptions(process.args.slice(0, 4), 'sk');
    const [limit = '', command = ''] = operands;
    const duration = parseDuration(limit);
    if (duration === undefined) return fail(process, `invalid time interval '${limit}'`, 125);
    const argv = process.args.slice(process.args.indexOf(command, process.args.indexOf(limit) + 1));
    const program = await process.machine.lookup({ argv, cwd: process.cwd, env: process.env });
    if (typeof program === 'string') return fail(process, `can't execute '${command}': No such file or directory`, 127);
    const child = process.machine.spawn(program, {
      argv,
      env: process.env,
      cwd: process.cwd,
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      parent: process,
    });
    let expired = false;
    const timer = process.machine.clock.schedule(duration, () => {
      expired = true;
      child.signal(parseSignal(values.get('s') ?? 'TERM') ?? 'TERM');
    });
    const status = await process.until(child.exited).finally(() => timer.cancel());
    if (expired && expiredCode === undefined) process.die(child.endedBy ?? 'TERM');
    return expired ? (expiredCode ?? status) : status;
  };

/** The GNU tools that differ from busybox's tools, by name. */
export const gnuPrograms: Readonly<Record<string, Program>> = { timeout: timeout(124) };

const ps: Program = (process) => {
  process.stdout.write('PID   USER     TIME  COMMAND\n');
  for (const each of process.machine.pidNamespace.members)
    process.stdout.write(`${String(each.pid).padStart(5)} root      0:00 ${each.title ?? each.argv.join(' ')}\n`);
  return 0;
};

const killall: Program = (process) => {
  const [first = '', ...others] = process.args;
  const option = /^-(.+)$/.exec(first)?.[1];
  const names = option === undefined ? process.args : others;
  const targets = process.machine.pidNamespace.members.filter((each) => names.includes(each.name) && each !== process);
  if (targets.length === 0) return fail(process, `${names.join(' ')}: no process killed`);
  const signal = parseSignal(option ?? 'TERM');
  if (signal && option !== '0') for (const target of targets) target.signal(signal);
  return 0;
};

const pidof: Program = (process) => {
  const found = process.machine.pidNamespace.members
    .filter((each) => process.args.includes(each.name))
    .map((each) => each.pid);
  if (found.length > 0) process.stdout.write(`${found.join(' ')}\n`);
  return found.length > 0 ? 0 : 1;
};

/** Simulates `stress` and `stress-ng`, which use the requested CPU and memory. */
const stress: Program = async (process) => {
  const value = (...names: readonly string[]): string | undefined => {
    for (const [index, arg] of process.args.entries()) {
      for (const name of names) {
        if (arg === name) return process.args[index + 1];
        if (arg.startsWith(`${name}=`)) return arg.slice(name.length + 1);
      }
    }
    return undefined;
  };
  const workers = Number(value('--vm', '-m') ?? 1);
  const bytes = workers * (parseSize(value('--vm-bytes', '-mem-total') ?? '0') ?? 0);
  const limit = parseDuration(value('--timeout', '-t') ?? 'infinity') ?? Number.POSITIVE_INFINITY;
  process.stdout.write(
    `stress: info: [${process.pid}] dispatching hogs: ${value('--cpu', '-c', '-cpus') ?? 0} cpu, 0 io, ` +
      `${bytes > 0 ? workers : 0} vm, 0 hdd\n`,
  );
  process.cpu = Number(value('--cpu', '-c', '-cpus') ?? (bytes > 0 ? 1 : 0));
  for (let used = 0; used < bytes; ) {
    await process.sleep(100);
    used = Math.min(bytes, used + 64 * 1024 ** 2);
    if (!process.machine.allocate(process, used)) return 137;
  }
  if (limit === Number.POSITIVE_INFINITY) return process.forever();
  await process.sleep(limit);
  process.stdout.write(`stress: info: [${process.pid}] successful run completed\n`);
  return 0;
};

/** Simulates `hostname`: prints the host name; with an argument, sets it for the whole pod. */
const hostname: Program = (process) => {
  const { machine, args } = process;
  const [name] = args.filter((arg) => !arg.startsWith('-'));
  if (name === undefined) {
    process.stdout.write(`${args.includes('-i') ? machine.network.ip : machine.hostname}\n`);
    return 0;
  }
  if (!permits(machine.credentials, 'sethostname', 'SYS_ADMIN'))
    return fail(process, 'sethostname: Operation not permitted');
  machine.sysctls.set('kernel.hostname', name);
  return 0;
};

/** Returns a program that prints one line. */
const printsLine =
  (text: (process: Process) => string): Program =>
  (process) => {
    process.stdout.write(`${text(process)}\n`);
    return 0;
  };

const stripSuffix = (name: string, suffix = ''): string =>
  suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;

export const systemPrograms: Readonly<Record<string, Program>> = {
  sh,
  ash: sh,
  true: () => 0,
  false: () => 1,
  ...Object.fromEntries(['echo', 'printf', 'test', '[', 'pwd', 'kill'].map((name) => [name, asProgram(name)])),
  sleep,
  usleep: async (process) => {
    await process.sleep(Number(process.args[0] ?? 0) / 1000);
    return 0;
  },
  date,
  id,
  stty,
  tty,
  whoami: printsLine(({ machine }) => userName(machine.credentials.uid)),
  hostname,
  uname: printsLine(({ machine, args }) =>
    args.includes('-a')
      ? `Linux ${machine.hostname} 6.1.0 #1 SMP x86_64 GNU/Linux`
      : args.includes('-n')
        ? machine.hostname
        : args.includes('-m')
          ? 'x86_64'
          : 'Linux',
  ),
  nproc: printsLine(() => '2'),
  uptime: printsLine(() => ' up 1 day, load average: 0.10, 0.05, 0.01'),
  env,
  printenv,
  timeout: timeout(undefined),
  ps,
  killall,
  pkill: killall,
  pidof,
  pgrep: pidof,
  basename: printsLine(({ args }) => stripSuffix((args[0] ?? '').replace(/\/+$/, '').replace(/^.*\//, ''), args[1])),
  dirname: printsLine(({ args }) => (args[0] ?? '').replace(/\/[^/]*$/, '') || (args[0]?.startsWith('/') ? '/' : '.')),
  stress,
  'stress-ng': stress,
};
