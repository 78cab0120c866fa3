/** Implements the builtin commands of the shell. */
import { FileError, resolvePath } from '../machine/file-system.ts';
import { ExitError, type Process } from '../machine/process.ts';
import { parseSignal } from '../machine/signals.ts';
import { Jump, ReplaceError, type Streams } from './control.ts';
import { formatPrintf, unescape } from './printf.ts';
import type { ShellState } from './shell-state.ts';
import { evaluateTest, TestError } from './test-expression.ts';

/** The part of the shell that its builtins use. */
interface BuiltinShell extends ShellState {
  runText(text: string, streams: Streams): Promise<number>;
  runProgram(argv: readonly string[], streams: Streams): Promise<number>;
  waitForJobs(jobs: readonly Process[]): Promise<number>;
}

/** A builtin command. It returns the exit code. */
export type Builtin = (shell: BuiltinShell, args: readonly string[], streams: Streams) => Promise<number> | number;

function complain(shell: ShellState, streams: Streams, text: string, code = 1): number {
  streams.stderr.write(`${shell.name}: ${text}\n`);
  return code;
}

const count = (text: string | undefined): number => Math.max(1, Number(text ?? 1) || 1);

const echo: Builtin = (_shell, args, streams) => {
  const options = /^-[neE]+$/;
  let first = 0;
  let [newline, escapes] = [true, false];
  for (; options.test(args[first] ?? ''); first++) {
    if (args[first]?.includes('n')) newline = false;
    if (args[first]?.includes('e')) escapes = true;
  }
  const text = args.slice(first).join(' ');
  streams.stdout.write((escapes ? unescape(text) : text) + (newline ? '\n' : ''));
  return 0;
};

const test =
  (name: 'test' | '['): Builtin =>
  async (shell, args, streams) => {
    if (name === '[' && args.at(-1) !== ']') return complain(shell, streams, '[: missing ]', 2);
    try {
      return (await evaluateTest(shell, name === '[' ? args.slice(0, -1) : args)) ? 0 : 1;
    } catch (error) {
      if (!(error instanceof TestError)) throw error;
      return complain(shell, streams, error.message, 2);
    }
  };

const cd: Builtin = async (shell, args, streams) => {
  const target = args[0] === '-' ? (shell.get('OLDPWD') ?? '/') : (args[0] ?? shell.get('HOME') ?? '/');
  const path = resolvePath(shell.cwd, target);
  if (!(await shell.files.isDirectory(path)))
    return complain(shell, streams, `cd: line 0: can't cd to ${target}: No such file or directory`, 2);
  shell.set('OLDPWD', shell.cwd);
  shell.process.cwd = path;
  return 0;
};

const assign: Builtin = (shell, args) => {
  for (const arg of args) {
    const at = arg.indexOf('=');
    if (at > 0) shell.set(arg.slice(0, at), arg.slice(at + 1));
  }
  return 0;
};

const exportVariables: Builtin = (shell, args, streams) => {
  for (const arg of args) if (!arg.startsWith('-')) shell.exported.add(arg.split('=')[0] ?? '');
  return assign(shell, args, streams);
};

const set: Builtin = (shell, args) => {
  for (const [index, arg] of args.entries()) {
    if (arg === '--') {
      shell.positional = args.slice(index + 1);
      return 0;
    }
    if (!/^[+-][a-z]+$/.test(arg)) {
      if (args[index - 1]?.endsWith('o')) continue;
      shell.positional = args.slice(index);
      return 0;
    }
    const on = arg.startsWith('-');
    if (arg.includes('e')) shell.options.errexit = on;
    if (arg.includes('x')) shell.options.xtrace = on;
    if (arg.includes('u')) shell.options.nounset = on;
  }
  return 0;
};

const trap: Builtin = (shell, args, streams) => {
  const [action, ...names] = args.length === 1 ? ['-', ...args] : args;
  for (const name of names) {
    if (name === 'EXIT' || name === '0') {
      shell.exitTrap = action === '-' ? undefined : action;
      continue;
    }
    const signal = parseSignal(name);
    if (!signal) return complain(shell, streams, `trap: ${name}: invalid signal specification`);
    shell.traps.set(signal, action === '-' ? undefined : action);
  }
  return 0;
};

const wait: Builtin = (shell, args) => {
  const jobs =
    args.length === 0
      ? [...shell.jobs.values()]
      : args.flatMap((arg) => shell.jobs.get(Number(arg.replace('%', ''))) ?? []);
  return shell.waitForJobs(jobs);
};

const kill: Builtin = (shell, args, streams) => {
  let signal = parseSignal('TERM');
  let isProbe = false;
  const targets = [...args];
  const option = /^-(?:s|n)?(.*)$/.exec(targets[0] ?? '');
  if (option && targets[0] !== '--') {
    targets.shift();
    const name = option[1] || targets.shift() || '';
    isProbe = name === '0';
    signal = parseSignal(name);
    if (!signal && !isProbe) return complain(shell, streams, `kill: invalid signal '${name}'`);
  }
  let status = 0;
  for (const target of targets) {
    const process = shell.process.machine.pidNamespace.member(Number(target.replace('%', '')));
    if (!process) {
      streams.stderr.write(`${shell.name}: can't kill pid ${target}: No such process\n`);
      status = 1;
    } else if (signal && !isProbe) process.signal(signal);
  }
  return status;
};

const read: Builtin = async (shell, args, streams) => {
  const piece = await shell.process.until(streams.stdin.read());
  const line = (piece ?? '').split('\n')[0] ?? '';
  const names = args.filter((arg) => !arg.startsWith('-'));
  const words = line.trim().split(/[ \t]+/);
  for (const [index, name] of names.entries())
    shell.set(name, index === names.length - 1 ? words.slice(index).join(' ') : (words[index] ?? ''));
  return piece === undefined ? 1 : 0;
};

const exec: Builtin = async (shell, args, streams) => {
  if (args.length === 0) return 0;
  const program = await shell.process.machine.lookup({ argv: args, cwd: shell.cwd, env: shell.environment() });
  if (typeof program === 'string') {
    complain(shell, streams, `exec: ${args[0]}: ${program}`);
    throw new ExitError(program === 'not found' ? 127 : 126);
  }
  Object.assign(shell.process, streams);
  throw new ReplaceError(program, args);
};

const source: Builtin = async (shell, args, streams) => {
  try {
    return await shell.runText(await shell.files.read(resolvePath(shell.cwd, args[0] ?? '')), streams);
  } catch (error) {
    if (error instanceof FileError) return complain(shell, streams, `.: can't open '${args[0]}': ${error.message}`, 2);
    throw error;
  }
};

const command: Builtin = async (shell, args, streams) => {
  if (args[0] !== '-v' && args[0] !== '-V') return args.length === 0 ? 0 : shell.runProgram(args, streams);
  const name = args[1] ?? '';
  if (
    !Object.hasOwn(builtins, name) &&
    typeof (await shell.process.machine.lookup({ argv: [name], cwd: shell.cwd, env: shell.environment() })) === 'string'
  )
    return 127;
  streams.stdout.write(`${name}\n`);
  return 0;
};

/** The builtins by name. */
export const builtins: Readonly<Record<string, Builtin>> = {
  ':': () => 0,
  true: () => 0,
  false: () => 1,
  echo,
  printf: (_shell, [format = '', ...args], streams) => {
    streams.stdout.write(formatPrintf(format, args));
    return 0;
  },
  test: test('test'),
  '[': test('['),
  cd,
  pwd: (shell, _args, streams) => {
    streams.stdout.write(`${shell.cwd}\n`);
    return 0;
  },
  export: exportVariables,
  readonly: assign,
  local: assign,
  unset: (shell, args) => {
    for (const name of args) shell.variables.delete(name);
    return 0;
  },
  set,
  shift: (shell, args) => {
    shell.positional = shell.positional.slice(count(args[0]));
    return 0;
  },
  trap,
  wait,
  kill,
  read,
  exec,
  '.': source,
  source,
  command,
  type: (shell, args, streams) => command(shell, ['-v', ...args], streams),
  eval: (shell, args, streams) => shell.runText(args.join(' '), streams),
  exit: (shell, args) => {
    throw new ExitError(args[0] === undefined ? shell.lastStatus : Number(args[0]) & 0xff);
  },
  return: (shell, args) => {
    if (args[0] !== undefined) shell.lastStatus = Number(args[0]) & 0xff;
    throw new Jump('return', 1);
  },
  break: (_shell, args) => {
    throw new Jump('break', count(args[0]));
  },
  continue: (_shell, args) => {
    throw new Jump('continue', count(args[0]));
  },
};
