/** What every command-line program of the workspace shares: commands, arguments, output, interrupts. */
export { readArguments } from './arguments.ts';
export { type Command, type Commands, UsageError } from './command.ts';
export { onInterrupt } from './interrupt.ts';
export { runProgram } from './main.ts';
export { unsupportedNode } from './node-version.ts';
export { print, printJson, report } from './output.ts';
