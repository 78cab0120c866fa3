/** Exports the paths of the relay's programs, and functions for their arguments. */
export { type RelayOptions, relayArguments, relayEnvironment, relayNodeOption } from './options.ts';
export { Relay } from './relay.ts';

/** The URLs of the relay's programs, which Node.js runs. */
export const supervisorProgram = new URL('./supervisor.process.ts', import.meta.url);
export const relayProgram = new URL('./relay.process.ts', import.meta.url);
