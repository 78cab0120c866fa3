/** Exports a node in memory on a virtual clock. The page without a server, scenarios and `--runtime sim` use it. */
export type { RecordedInput } from './recorded-input.ts';
export { simulatedMachine, simulatedNode, simulatedNodeIp } from './simulated-machine.ts';
export { defaultSeed, Simulation, type SimulationOptions } from './simulation.ts';
export { type RerunPoint, SimulationHost, type SimulationHostOptions } from './simulation-host.ts';
export { timeCommandHandlers } from './time-commands.ts';
export { speedRange, TimeDriver, type TimeDriverOptions, type TimeState } from './time-driver.ts';
