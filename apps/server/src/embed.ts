/** Exports the functions with which other programs run the server in their own process. */
export { parseFeatureGates } from './cli/feature-gates.ts';
export { parseCommandLine } from './cli/options.ts';
export type { ServerOptions } from './cli/server-options.ts';
export { createLogger } from './log.ts';
export { repositoryRoot } from './repository.ts';
export { readSimulationFile } from './runtime/simulation-file.ts';
export { tokensEqual } from './security/token.ts';
export { type RunningServer, startServer } from './server.ts';
export { StartError } from './start-error.ts';
export { productVersion } from './version.ts';
