/** Exports test helpers to other packages. */
export { MemoryPersistence, seededRandom } from './test-api-server.ts';
