/** Exports the library of scenarios. */
export { performAct } from './acts.ts';
export { findScenario, scenarios } from './library.ts';
export { beginScenario, simulationOptionsOf } from './play.ts';
export * from './scenario.ts';
