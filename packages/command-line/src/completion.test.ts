import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { type CompletedCommand, completionScript, optionsIn } from './completion.ts';

const help = `Usage: tool serve [options]

  --runtime R       auto (default) or sim
  --level low|high|unix:///…  How much. More text.
  -o, --output OUT  Where to; - is stdout.
  --json            As JSON.
  --very-long-option-name FILE
                    Described below (with a remark).
  --allow-a, --allow-b
                    Permit things.

Text that mentions --nothing.`;

describe('optionsIn', () => {
  it('finds names, short forms, values, choices and the first words of the description', () => {
    expect(optionsIn(help)).toEqual([
      { name: 'runtime', value: 'R', choices: [], summary: 'auto' },
      { name: 'level', value: 'low|high|unix:///…', choices: ['low', 'high'], summary: 'How much' },
      { name: 'output', short: 'o', value: 'OUT', choices: [], summary: 'Where to' },
      { name: 'json', choices: [], summary: 'As JSON' },
      { name: 'very-long-option-name', value: 'FILE', choices: [], summary: 'Described below' },
      { name: 'allow-a', choices: [], summary: 'Permit things' },
    ]);
  });
});

const commands: readonly CompletedCommand[] = [
  { name: 'serve', summary: 'Serve: it’s there', options: optionsIn(help) },
  { name: 'explain', summary: "Say what's wrong", options: [] },
];

/** Returns the completions that bash offers for the last word of a command line. */
function completedByBash(...words: string[]): readonly string[] {
  const script = `${completionScript('bash', 'tool', commands)}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tool; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: import.meta.dirname });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.split('\n').filter(Boolean);
}

describe('completionScript for bash', () => {
  it('offers the commands for the first word', () => {
    expect(completedByBash('tool', '')).toEqual(['serve', 'explain']);
    expect(completedByBash('tool', 'ex')).toEqual(['explain']);
  });

  it('offers the options of the command, the choices of an option, and files', () => {
    expect(completedByBash('tool', 'serve', '--l')).toEqual(['--level']);
    expect(completedByBash('tool', 'serve', '--level', '')).toEqual(['low', 'high']);
    expect(completedByBash('tool', 'serve', '-o', 'completion.t')).toEqual(['completion.test.ts', 'completion.ts']);
    expect(completedByBash('tool', 'explain', '--')).toEqual(['--help']);
  });
});

describe('completionScript for zsh and fish', () => {
  it('quotes summaries, values and choices', () => {
    const zsh = completionScript('zsh', 'tool', commands);
    expect(zsh).toContain(`'explain:Say what'\\''s wrong'`);
    expect(zsh).toContain(String.raw`'--level[How much]:low|high|unix\:///…:(low high)'`);
    const fish = completionScript('fish', 'tool', commands);
    expect(fish).toContain(String.raw`-a 'explain' -d 'Say what\'s wrong'`);
    expect(fish).toContain("-n '__fish_seen_subcommand_from serve' -l level -x -a 'low high' -d 'How much'");
    expect(fish).toContain("-l output -s o -r -d 'Where to'");
  });
});
