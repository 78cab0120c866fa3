/** Starts a class with the command that a teacher uses. */
import { type ClassProcess, startClassProcess } from '../../apps/lab/src/bench/class/class-process.ts';
import { networkAddresses } from '../../apps/server/src/os/network-addresses.ts';

export type { ClassProcess } from '../../apps/lab/src/bench/class/class-process.ts';

/** Returns an address of this machine in a network. Browsers don't treat pages from it as a secure context. */
export const networkAddress = (): string | undefined => networkAddresses()[0];

/** Starts `start --class` on a free port. @throws Error with its output if it exits before it listens */
export const startClass = (args: readonly string[] = []): Promise<ClassProcess> =>
  startClassProcess([...(process.env['PODSCOPE_TEST_PAGE_IS_BUILT'] === '1' ? ['--no-build'] : []), ...args]);
