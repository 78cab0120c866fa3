/** Exports the programs of the relay and their arguments. */
export { type RelayOptions, relayArguments, relayEnvironment, relayNodeOption } from './options.ts';
export { Relay } from './relay.ts';

/** The programs of the relay, for `node`. */
export const supervisorProgram = new URL('./supervisor.process.ts', import.meta.url);
export const relayProgram = new URL('./relay.process.ts', import.meta.url);
