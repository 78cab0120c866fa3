/** Marks what a fault or a user changed. */
export { Injected, InjectedBehind } from './Injected.tsx';
export { interventionMessages } from './messages.en.ts';
