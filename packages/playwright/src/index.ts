/**
 * Exports the fixtures, page objects and pod matchers for Playwright tests. Page objects locate elements by role.
 * docs/use/playwright.md has examples.
 */
export { type PodscopeFixtures, type PodscopeOptions, type PodscopeWorkerFixtures, test } from './fixtures.ts';
export { expect } from './matchers.ts';
export type { NodeCondition, NodeState, PodCondition } from './node/conditions.ts';
export type { BreakpointInfo, BreakpointInput, Breakpoints, FaultInfo, FaultInput, Faults } from './node/debugger.ts';
export type { Duration } from './node/duration.ts';
export { PodHandle, type PodState } from './node/pod.ts';
export { type AppliedObject, type KubernetesObject, type Manifest, PodscopeNode } from './node/podscope-node.ts';
export { type PodscopeServer, type PodscopeServerOptions, startPodscopeServer } from './node/server.ts';
export type { SimulatedImage, SimulatedRegistry, SimulationDocument } from './node/simulation.ts';
export { PodscopePage } from './page.ts';
export { Podscope, type SimulationOptions } from './podscope.ts';
export { type PodscopeSite, type PodscopeSiteOptions, servePodscopeSite } from './site.ts';
