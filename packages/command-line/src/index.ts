/** Exports what all command-line programs of the workspace share: commands, arguments, output, interrupts. */
export { readArguments } from './arguments.ts';
export { type Command, type CommandBody, type Commands, UsageError } from './command.ts';
export { type CompletedCommand, completionScript, isShell, optionsIn } from './completion.ts';
export { callOf, isPackaged } from './distribution.ts';
export { onInterrupt } from './interrupt.ts';
export { helpOf, runProgram } from './main.ts';
export { minimumNode, unsupportedNode } from './node-version.ts';
export { print, printJson, report } from './output.ts';
export { working } from './progress.ts';
