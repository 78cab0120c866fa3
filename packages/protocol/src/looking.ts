/** Which commands only look: what a client of a read-only node may still ask for. */
import type { Command } from './messages.ts';

/** A command that is not named here changes something: new ones are refused until somebody says that they don't. */
const lookingCommands: ReadonlySet<string> = new Set<Command['command']>([
  'validate',
  'getPodYaml',
  'logs',
  'followLogs',
  'cancel',
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

/** True when a command changes neither the node nor what is kept of it. */
export const onlyLooks = ({ command }: Pick<Command, 'command'>): boolean => lookingCommands.has(command);
