/** Sends fault commands. If the node rejects one, shows the reason and doesn't throw. */
import type { FaultState, ManifestError } from '@podscope/protocol';
import { attempt } from '../../node/debugger/debug-actions.ts';
import type { NodeSession } from '../../node/run/node-session.ts';

/**
 * Saves a plan under the name in its text.
 * @returns the problems of the plan; undefined if the node can't be reached
 */
export async function savePlan(
  { debug }: NodeSession,
  yaml: string,
  enabled: boolean,
): Promise<readonly ManifestError[] | undefined> {
  let errors: readonly ManifestError[] | undefined;
  await attempt(async () => {
    ({ errors } = await debug.change<'setFaultPlan'>({ command: 'setFaultPlan', yaml, enabled }));
  });
  return errors;
}

export const enablePlan = ({ debug }: NodeSession, name: string, enabled: boolean): Promise<boolean> =>
  attempt(() => debug.change<'enableFaultPlan'>({ command: 'enableFaultPlan', name, enabled }));

export const deletePlan = ({ debug }: NodeSession, name: string): Promise<boolean> =>
  attempt(() => debug.change<'deleteFaultPlan'>({ command: 'deleteFaultPlan', name }));

/** Removes one fault from its group. */
export const removeFault = ({ debug }: NodeSession, { id, group }: FaultState): Promise<boolean> =>
  attempt(() => {
    const rest = (debug.state?.faults ?? [])
      .filter((fault) => fault.group === group && fault.id !== id)
      .map(({ spec }) => spec);
    return debug.change<'setFaults'>({ command: 'setFaults', group, faults: rest });
  });

/** Releases a hanging call. */
export const releaseCall = ({ debug }: NodeSession, id: number): Promise<boolean> =>
  attempt(() => debug.change<'releaseFault'>({ command: 'releaseFault', id }));
