/** What differs between the fake runtimes that the recordings of the two releases were made against. */
import { CriError } from '@podscope/cri';

export interface FakeRules {
  /** The address of a READY sandbox with a network of its own. */
  readonly sandboxIP: (attempt: number) => string;
  /** The name an image is found under. */
  readonly imageName: (image: string) => string;
  readonly imageSize: number;
  /** Undefined: an unknown id is no error. */
  readonly unknownID: (method: string, id: string) => Error | undefined;
  /** What a container that is stopped exits with. */
  readonly stopped: (stopExitCode: number | undefined) => { readonly exitCode: number; readonly reason: string };
  /** When a sandbox dies: every READY one, or the newest. */
  readonly everySandboxDies: boolean;
  /** The recording shows the hosts file of host-network pods too. */
  readonly showsNodeHostsFile: boolean;
  /** What a command prints that the runtime fails to run. */
  readonly failedCommandOutput: string;
}

const hasTagOrDigest = (image: string): boolean => image.includes('@') || image.slice(image.lastIndexOf('/') + 1).includes(':');

export const fakeRulesV136: FakeRules = {
  sandboxIP: () => '10.88.0.5',
  imageName: (image) => (hasTagOrDigest(image) ? image : `${image}:latest`),
  imageSize: 1000,
  unknownID: (method, id) => new CriError('NotFound', `${method.includes('Sandbox') ? 'sandbox' : 'container'} "${id}" not found`),
  stopped: (exitCode = 137) => ({ exitCode, reason: 'Error' }),
  everySandboxDies: true,
  showsNodeHostsFile: false,
  failedCommandOutput: '',
};

export const fakeRulesV120: FakeRules = {
  sandboxIP: (attempt) => `192.168.192.${168 + attempt}`,
  imageName: (image) => image,
  imageSize: 0,
  unknownID: (method, id) => (method.startsWith('Remove') ? undefined : new Error(`${id} not found`)),
  stopped: () => ({ exitCode: 0, reason: 'Completed' }),
  everySandboxDies: false,
  showsNodeHostsFile: true,
  failedCommandOutput: 'hook output',
};
