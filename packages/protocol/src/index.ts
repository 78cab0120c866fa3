/** What browser and node say to each other. */
export * from './messages.ts';
