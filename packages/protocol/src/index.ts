/** What browser and node say to each other. */
export * from './command-results.ts';
export * from './content-security-policy.ts';
export * from './debug-breakpoints.ts';
export * from './debug-faults.ts';
export * from './debug-messages.ts';
export * from './debug-results.ts';
export * from './debug-state.ts';
export * from './looking.ts';
export * from './manifest-error.ts';
export * from './messages.ts';
export * from './past-messages.ts';
export * from './run-messages.ts';
export * from './time-messages.ts';
