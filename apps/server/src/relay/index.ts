/** Exports the server of nodes that are observed through a relay. */
export { type ObservedServer, serveObserved } from './serve-observed.ts';
