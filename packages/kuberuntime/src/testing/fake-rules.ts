/** Declares the differences between the two fake runtimes with which the releases were recorded. */
import { CriError } from '@podscope/cri';

export interface FakeRules {
  /** Returns the address of a READY sandbox that has its own network. */
  readonly sandboxIP: (attempt: number) => string;
  /** Returns the name under which an image is found. */
  readonly imageName: (image: string) => string;
  readonly imageSize: number;
  /** Returns the error for an unknown id, or undefined if the call ignores it. */
  readonly unknownID: (method: string, id: string) => Error | undefined;
  /** Returns exit code and reason of a stopped container. */
  readonly stopped: (stopExitCode: number | undefined) => { readonly exitCode: number; readonly reason: string };
  /** Whether every READY sandbox dies, or only the newest one. */
  readonly everySandboxDies: boolean;
  /** Whether the recording contains the hosts file of pods on the host network. */
  readonly showsNodeHostsFile: boolean;
  /** The output of a command that the runtime can't run. */
  readonly failedCommandOutput: string;
}

const hasTagOrDigest = (image: string): boolean =>
  image.includes('@') || image.slice(image.lastIndexOf('/') + 1).includes(':');

export const fakeRulesV136: FakeRules = {
  sandboxIP: () => '10.88.0.5',
  imageName: (image) => (hasTagOrDigest(image) ? image : `${image}:latest`),
  imageSize: 1000,
  unknownID: (method, id) =>
    new CriError('NotFound', `${method.includes('Sandbox') ? 'sandbox' : 'container'} "${id}" not found`),
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
