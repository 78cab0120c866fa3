/** Declares the protocol between clients and the node: messages, commands and their results. */
export * from './command-results.ts';
export * from './content-security-policy.ts';
export * from './debug/breakpoints.ts';
export * from './debug/faults.ts';
export * from './debug/messages.ts';
export * from './debug/results.ts';
export * from './debug/state.ts';
export * from './format-versions.ts';
export * from './inventory-messages.ts';
export * from './manifest-error.ts';
export * from './messages.ts';
export * from './packed-events.ts';
export * from './past-messages.ts';
export * from './read-only-commands.ts';
export * from './run-messages.ts';
export * from './time-messages.ts';
