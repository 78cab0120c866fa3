/** Generates docs/reference/commands.md from the help of every command. */
import { commands } from '../../../apps/cli/src/commands.ts';
import { kubectlCommands } from '../../../apps/cli/src/kubectl/commands.ts';
import { commands as laboratoryCommands } from '../../../apps/lab/src/commands.ts';
import { packageCommands } from '../../../apps/package/src/commands.ts';
import { type Commands, callOf } from '../../../packages/command-line/src/index.ts';
import { generatedNote } from './markdown.ts';

interface Program {
  readonly title: string;
  readonly about: string;
  readonly callOf: (example: string) => string;
  readonly commands: Commands;
}

const programs: readonly Program[] = [
  {
    title: 'podscope',
    about:
      'The commands for users. In a clone, `start`, `cri` and `build:site` also work without the word `podscope`: ' +
      '`npx -y pnpm@12 start`.',
    callOf,
    commands,
  },
  {
    title: 'kubectl podscope',
    about: 'The kubectl plugin. [kubectl](../use/kubectl.md) says how to install it.',
    callOf: (example) => `kubectl podscope ${example}`,
    commands: kubectlCommands,
  },
  {
    title: 'Laboratory',
    about: 'Measures Podscope and compares it with the genuine kubelet. Only in the repository.',
    callOf: (example) => `npx -y pnpm@12 ${example}`,
    commands: laboratoryCommands,
  },
  {
    title: 'Packages',
    about: 'Builds what a release has. Only in the repository.',
    callOf: (example) => `npx -y pnpm@12 ${example}`,
    commands: packageCommands,
  },
];

/** Returns the section of one command: summary, examples, help. */
async function section(program: Program, name: string): Promise<readonly string[]> {
  const command = program.commands[name];
  if (command === undefined) return [];
  const { help, examples } = await command.load();
  return [
    `### ${program.title === 'kubectl podscope' ? 'kubectl podscope ' : ''}${name}`,
    '',
    command.summary,
    '',
    ...(examples.length === 0
      ? []
      : ['```sh', ...examples.flatMap(([example, purpose]) => [`# ${purpose}`, program.callOf(example)]), '```', '']),
    // Link to the separate page with the options of the server.
    ...(name === 'start' ? ['All options: [options](options.md).', ''] : ['```text', help.trimEnd(), '```', '']),
  ];
}

/** Returns the text of docs/reference/commands.md. */
export async function commandsDocument(): Promise<string> {
  const parts: string[] = [];
  for (const program of programs) {
    parts.push(`## ${program.title}`, '', program.about, '');
    for (const name of Object.keys(program.commands)) parts.push(...(await section(program, name)));
  }
  return [
    generatedNote('the help of the commands', 'commands'),
    '',
    '# Commands',
    '',
    '```sh',
    'npx -y pnpm@12 podscope --help          # lists the commands',
    'npx -y pnpm@12 podscope run --help      # explains one command',
    '```',
    '',
    'From the first release on, `npx podscope` takes the place of `npx -y pnpm@12 podscope`. Exit codes: 0',
    'success, 1 the command failed or its answer is negative, 2 the command line is invalid. `run` [has',
    'more](../use/command-line.md#exit-codes-of-run). `diff` also returns 2 if a run can’t be read.',
    '',
    ...parts,
  ].join('\n');
}
