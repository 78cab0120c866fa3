/** Declares the interface of the node that the debugger works on. */
import type { RuntimeFailures } from '@podscope/cri';
import type { Pod } from '@podscope/k8s';
import type { Point } from '@podscope/trace';

/** The place of a string: its key or index, the object that holds it, and the name of that object. */
export interface StringPlace {
  readonly name: string;
  readonly holder: object;
  readonly within?: string | undefined;
}

export interface DebugHost {
  /** Returns every point of the flow of this node. */
  points(): readonly Point[];
  /**
   * Returns the reason why this node can't stop at a place. Returns undefined if the place is not a point of any node.
   */
  refusal?(point: string): string | undefined;
  pod(uid: string): Pod | undefined;
  pods(): readonly Pod[];
  /**
   * Returns the functions that create errors of this runtime, or undefined if the runtime has no own form of errors.
   */
  failures(): RuntimeFailures | undefined;
  /** Returns the string with its secrets replaced. @param place where the string was found, if known */
  mask(text: string, place?: StringPlace): string;
  /** Makes the worker of a pod sync again at once. */
  resync(uid: string): void;
  /** Kills a running container without the kubelet's knowledge and returns its id. @throws Error with the reason */
  killContainer(namespace: string, name: string, container: string, graceSeconds: number): Promise<string>;
  /**
   * Makes a running container exit with a code. Returns the id of the container, or undefined if the runtime doesn't
   * support this.
   * @throws Error with the reason
   */
  exitContainer(namespace: string, name: string, container: string, code: number): Promise<string | undefined>;
  /** Ends the back-offs of a container and returns their names. */
  skipBackOff(namespace: string, name: string, container: string): readonly string[];
  setBackOff(namespace: string, name: string, container: string, milliseconds: number): void;
}
