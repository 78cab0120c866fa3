/** Sets the breakpoints and faults of a node, and lists them. */
import { z } from 'zod';

/** Selects pods and containers; a field that isn't set matches everything. `*` and `?` are wildcards. */
interface Target {
  readonly namespace?: string;
  readonly pod?: string;
  readonly container?: string;
  readonly containerType?: 'init' | 'sidecar' | 'container' | 'ephemeral';
}

/** A breakpoint. docs/reference/protocol.md, BreakpointSpec, describes each field. */
export interface BreakpointInput extends Target {
  /** The id of a point, or a pattern: `syncPod.createPodSandbox`, `cri.*`. */
  readonly point?: string;
  /** Instead of a point, all points of a kind: `syncStep`, `cri`, `docker`. */
  readonly kind?: string;
  /** Instead of a point, a rule: `computePodActions.*`. */
  readonly decision?: string;
  readonly when?: 'before' | 'after' | 'error';
  /** A CEL expression over the variables at the point. */
  readonly condition?: string;
  /** `5`, `>= 3`, `% 5`. */
  readonly hitCondition?: string;
  readonly oneShot?: boolean;
}

/** A fault to inject. docs/reference/protocol.md, FaultSpec, describes each field. */
export interface FaultInput extends Target {
  /** The id of a point, or a pattern: `cri.PullImage`. */
  readonly at: string;
  readonly name?: string;
  readonly when?: 'before' | 'after';
  /** A CEL expression over the variables at the point. */
  readonly condition?: string;
  /** Number of matches to ignore before the first fault. */
  readonly skip?: number;
  /** How often the fault occurs at most. Default: every time. */
  readonly times?: number;
  /** The error: a gRPC code by name, the status of the Docker Engine's response, or the code of a CNI plugin. */
  readonly fail?:
    | { readonly grpc: string; readonly message: string }
    | { readonly docker: number; readonly message: string }
    | { readonly cni: number; readonly message: string; readonly details?: string }
    | { readonly reason: string; readonly message: string };
  /** A number of milliseconds, or a text such as `250ms`, `90s`. */
  readonly delay?: number | string;
  /** The result of a probe or hook, which isn't run. */
  readonly answer?: { readonly result: 'success' | 'failure' | 'warning'; readonly output?: string };
  readonly hang?: true;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly drop?: true;
  readonly duplicate?: number;
  readonly skipWait?: true;
}

/** A breakpoint of the node. */
export interface BreakpointInfo {
  readonly id: number;
  readonly breakpoint: BreakpointInput;
  /** How often execution reached the breakpoint while its condition was true. */
  readonly hits: number;
}

/** A fault of the node. */
export interface FaultInfo {
  readonly id: number;
  readonly fault: FaultInput;
  /** How often the fault occurred. */
  readonly applied: number;
}

/** Sends a command of the protocol and returns its result. */
type Send = (command: { readonly command: string; readonly [argument: string]: unknown }) => Promise<unknown>;

const verdicts = z.array(z.object({ verified: z.boolean(), message: z.string().optional() }));
const breakpointsSchema = z.object({ breakpoints: verdicts });
const faultsSchema = z.object({ faults: verdicts });
const spec = z.looseObject({ point: z.string().optional() });
const faultSpec = z.looseObject({ at: z.string() });
const stateSchema = z.object({
  breakpoints: z.array(z.object({ id: z.number(), spec, hits: z.number() })),
  faults: z.array(z.object({ id: z.number(), spec: faultSpec, applied: z.number() })),
});

const oneOrMore = <T>(input: T | readonly T[]): readonly T[] =>
  (Array.isArray(input) ? input : [input]) as readonly T[];

/**
 * Checks that each breakpoint or fault can take effect.
 * @throws Error with the message of the first one that can't
 */
function checkVerified(found: z.infer<typeof verdicts>): void {
  const wrong = found.find(({ verified }) => !verified);
  if (wrong) throw new Error(wrong.message ?? 'this can never be reached');
}

/** The breakpoints of a node. A pod's worker stops at them; everything else continues. */
export class Breakpoints {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Replaces all breakpoints. @param breakpoints points such as `cri.StartContainer`, or breakpoints with more fields
   * @throws Error if one of them can never be hit; then none is set
   */
  async set(breakpoints: string | BreakpointInput | readonly (string | BreakpointInput)[]): Promise<void> {
    const list = oneOrMore(breakpoints).map((each) => (typeof each === 'string' ? { point: each } : each));
    const reply = await this.#send({ command: 'setBreakpoints', breakpoints: list });
    try {
      checkVerified(breakpointsSchema.parse(reply).breakpoints);
    } catch (error) {
      await this.clear();
      throw error;
    }
  }

  /** Returns the breakpoints with the number of their hits. */
  async list(): Promise<readonly BreakpointInfo[]> {
    const { breakpoints } = stateSchema.parse(await this.#send({ command: 'debugState' }));
    return breakpoints.map(({ id, spec: breakpoint, hits }) => ({ id, breakpoint, hits }));
  }

  /** Removes all breakpoints and continues all stopped workers. */
  async clear(): Promise<void> {
    await this.#send({ command: 'setBreakpoints', breakpoints: [] });
    await this.#send({ command: 'continue' });
  }
}

/** The faults of a node: errors, delays and results that are injected into its calls. */
export class Faults {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Replaces all faults. @throws Error if one of them can never occur; then none is set */
  async set(faults: FaultInput | readonly FaultInput[]): Promise<void> {
    const reply = await this.#send({ command: 'setFaults', faults: oneOrMore(faults) });
    try {
      checkVerified(faultsSchema.parse(reply).faults);
    } catch (error) {
      await this.clear();
      throw error;
    }
  }

  /** Returns the faults with the number of times they occurred. */
  async list(): Promise<readonly FaultInfo[]> {
    const { faults } = stateSchema.parse(await this.#send({ command: 'debugState' }));
    return faults.map(({ id, spec: fault, applied }) => ({ id, fault, applied }));
  }

  /** Removes all faults. */
  async clear(): Promise<void> {
    await this.#send({ command: 'setFaults', faults: [] });
  }
}
