/** Exports the simulated container runtime, which implements CRI in memory and is driven by a clock and a seed. */

export { scriptAnnotationPrefix } from './behavior/behavior.ts';
export type { ContainerLog } from './containers/container-log.ts';
export { type LogFile, type LogFiles, logFileLine } from './containers/log-files.ts';
export { type ReadSimulation, readSimulationDocument } from './document/read.ts';
export { type SimulationDocument, type SimulationSettings, simulationDocumentSchema } from './document/schema.ts';
export type { Fault, PlannedFault } from './faults.ts';
export { type ImageDefinition, unknownImage } from './images/catalog.ts';
export { defaultRegistries, type RegistryOptions } from './images/registry.ts';
export { type HostFiles, MemoryHostFiles } from './machine/host-files.ts';
export type { HealthRequest, NodeRequest, SimulatedNetworkClient } from './network/network-client.ts';
export { defaultLatencies, type Latencies, noLatencies, type Operation } from './operations.ts';
export type { SimulatorOptions } from './options.ts';
export { createSimulator, type SimulatedRuntime } from './simulator.ts';
