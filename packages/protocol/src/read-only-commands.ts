/** Lists the commands that only read. A read-only node accepts no others. */
import type { Command } from './messages.ts';

/** A command that isn't listed counts as a change, so a read-only node rejects new commands by default. */
const readOnlyCommands: ReadonlySet<string> = new Set<Command['command']>([
  'validate',
  'getPodYaml',
  'logs',
  'logPage',
  'followLogs',
  'cancel',
  'getNode',
  'nodeUsage',
  'debugState',
  'points',
  'threads',
  'stackTrace',
  'scopes',
  'variables',
  'evaluate',
  'watch',
  'changes',
  'detach',
  'stepBack',
  'reverseContinue',
  'listRuns',
  'openRun',
  'exportRun',
]);

/** Returns true if a command changes neither the node nor its saved data. */
export const isReadOnlyCommand = ({ command }: Pick<Command, 'command'>): boolean => readOnlyCommands.has(command);
