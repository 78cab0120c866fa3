/** Implements `podscope doctor`: checks whether this machine meets the requirements of Podscope. */
import { type CommandBody, callOf, print, printJson, readArguments, UsageError, working } from '@podscope/command-line';
import { defaultStateDir } from '@podscope/server/runs';
import {
  checkDocker,
  checkKubectl,
  checkNode,
  checkPermissions,
  checkPort,
  checkStateDirectory,
  type Finding,
  type Machine,
} from './checks.ts';
import { thisMachine } from './this-machine.ts';

const options = {
  port: { type: 'string', default: '4400' },
  'state-dir': { type: 'string' },
  json: { type: 'boolean' },
} as const;

const marks: Readonly<Record<Finding['state'], string>> = { ok: '✓', note: '!', problem: '✗' };

/** Returns the findings of all checks, in the order in which a user should fix them. */
export async function examine(machine: Machine, port: number, stateDir: string): Promise<readonly Finding[]> {
  const [docker, ...others] = await Promise.all([
    checkDocker(machine),
    checkPort(machine, port),
    checkStateDirectory(machine, stateDir),
    checkKubectl(machine),
  ]);
  return [checkNode(machine), ...docker, checkPermissions(machine), ...others];
}

export const command: CommandBody = {
  help: `Usage: ${callOf('doctor')} [options]

Checks Node, Docker and its version, control groups, permissions, the port and the state directory, and prints how to
fix what is missing. Exit code: 0 when Podscope can start, 1 when it can't.

  --port PORT      The port of the page (default: 4400).
  --state-dir DIR  The server's state directory (default: that of start).
  --json           Print the findings as JSON.`,
  examples: [
    ['doctor', 'Check this machine'],
    ['doctor --json', 'Print the findings for a program'],
  ],
  async run(args) {
    const { values, positionals } = readArguments(args, options, 'doctor');
    if (positionals.length > 0) throw new UsageError('doctor takes no argument');
    if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535)
      throw new UsageError(`--port ${JSON.stringify(values.port)} is not a port number from 0 to 65535`);
    const stateDir = values['state-dir'] ?? defaultStateDir(process.env);
    const findings = await working('Checking this machine', () => examine(thisMachine, Number(values.port), stateDir));
    if (values.json) printJson(findings);
    else
      for (const { state, subject, found, remedy } of findings) {
        print(`${marks[state]} ${subject.padEnd(16)} ${found}`);
        if (remedy !== undefined) print(`${' '.repeat(19)}${remedy}`);
      }
    return findings.some(({ state }) => state === 'problem') ? 1 : 0;
  },
};
