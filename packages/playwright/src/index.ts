/**
 * Exports fixtures, page objects by role, and matchers for pods to Playwright tests. docs/playwright.md has examples.
 */
export { type PodscopeFixtures, type PodscopeOptions, type PodscopeWorkerFixtures, test } from './fixtures.ts';
export { expect } from './matchers.ts';
export { PodscopePage } from './page.ts';
export { PodHandle, type PodState } from './pod.ts';
export { type BreakpointInput, type FaultInput, Podscope, type SimulationOptions } from './podscope.ts';
export { type PodscopeServer, type PodscopeServerOptions, startPodscopeServer } from './server.ts';
export type { SimulatedImage, SimulatedRegistry, SimulationDocument } from './simulation.ts';
export { type PodscopeSite, type PodscopeSiteOptions, servePodscopeSite } from './site.ts';
