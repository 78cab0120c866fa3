/** The simulated container runtime: CRI in memory, on a clock and a seed. */
export { type ReadSimulation, readSimulationDocument } from './document/read.ts';
export { type SimulationDocument, type SimulationSettings, simulationDocumentSchema } from './document/schema.ts';
export type { Fault, PlannedFault } from './faults.ts';
export { type HostFiles, MemoryHostFiles } from './host-files.ts';
export { type ImageDefinition, unknownImage } from './images/catalog.ts';
export { parseReference } from './images/reference.ts';
export { defaultRegistries, type RegistryOptions } from './images/registry.ts';
export { scriptAnnotationPrefix } from './life/life.ts';
export { type LogFile, type LogFiles, logFileLine } from './log-files.ts';
export type { ContainerLog } from './logs.ts';
export type { HealthRequest, NodeRequest, SimulatedNetworkClient } from './network-client.ts';
export { defaultLatencies, type Latencies, noLatencies, type Operation, type SimulatorOptions } from './options.ts';
export { simulatorPoints } from './points.ts';
export { createRandom, type Random } from './random.ts';
export { createSimulator, type SimulatedRuntime } from './simulator.ts';
