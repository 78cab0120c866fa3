/** Exports the library of scenarios, and the functions that read and play scenarios. */
export { performAct } from './acts.ts';
export { findScenario, scenarios } from './library.ts';
export { type OwnScenario, readOwnScenario } from './own-scenario.ts';
export { beginScenario, scheduleActs, simulationOptionsOf } from './play.ts';
export * from './scenario.ts';
