/** What a debugger needs of the node it debugs. */
import type { RuntimeFailures } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Point } from '@podscope/trace';

/** Where a string stands: its name (or number) in what holds it, that, and the name of that. */
export interface StringPlace {
  readonly name: string;
  readonly holder: object;
  readonly within?: string | undefined;
}

export interface DebugHost {
  /** Every point of the flow of this node. */
  points(): readonly Point[];
  pod(uid: string): Pod | undefined;
  pods(): readonly Pod[];
  /** Makes errors of the runtime's own kinds. */
  failures(): RuntimeFailures | undefined;
  /** Replaces secrets in a string. @param place where it stands, when that is known */
  mask(text: string, place?: StringPlace): string;
  /** Lets a pod's worker make another pass at once. */
  resync(uid: string): void;
  /** Ends a running container behind the kubelet's back. @returns its id @throws Error saying why not */
  killContainer(namespace: string, name: string, container: string, graceSeconds: number): Promise<string>;
  /** Lets a running container exit with a code. @returns its id; undefined when this runtime can't @throws Error saying why not */
  exitContainer(namespace: string, name: string, container: string, code: number): Promise<string | undefined>;
  /** Ends the waits a container is in. @returns which */
  skipBackOff(namespace: string, name: string, container: string): readonly string[];
  setBackOff(namespace: string, name: string, container: string, milliseconds: number): void;
}
