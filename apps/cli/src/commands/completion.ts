/** Implements `podscope completion`: prints a completion script for a shell. */
import {
  type CommandBody,
  type Commands,
  callOf,
  completionScript,
  isShell,
  optionsIn,
  UsageError,
} from '@podscope/command-line';

/** Returns the command `completion`. Its scripts complete the names and options of `commands`. */
export const completion = (commands: Commands): CommandBody => ({
  help: `Usage: ${callOf('completion')} bash|zsh|fish

Prints a script that completes commands, options and their values. It is generated from the help of the commands.`,
  examples: [
    ['completion bash > ~/.local/share/bash-completion/completions/podscope', 'Install it for bash'],
    ['completion zsh > ~/.zfunc/_podscope', 'Install it for zsh, if ~/.zfunc is in fpath'],
    ['completion fish > ~/.config/fish/completions/podscope.fish', 'Install it for fish'],
  ],
  async run([shell = '', ...others]) {
    if (!isShell(shell) || others.length > 0) throw new UsageError('completion takes bash, zsh or fish');
    const listed = await Promise.all(
      Object.entries(commands).map(async ([name, command]) => ({
        name,
        summary: command.summary,
        options: optionsIn((await command.load()).help),
      })),
    );
    process.stdout.write(completionScript(shell, 'podscope', listed));
    return 0;
  },
});
