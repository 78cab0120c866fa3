/** Applies manifests and shows the pod that they create. */

import { errorMessage } from '@podscope/base';
import { notify } from '../../base/notices/notices.ts';
import { showPod } from '../../node/address/view-store.ts';
import type { CommandResult } from '../../node/connection/commands.ts';
import type { NodeSession } from '../../node/run/node-session.ts';
import type { TemplateId } from './templates.ts';

type Applied = CommandResult<'apply'>['applied'][number];

/** Selects the first pod among applied objects. */
export function showApplied(applied: readonly Applied[]): void {
  const pod = applied.find(({ kind }) => kind === 'Pod');
  if (pod?.uid !== undefined) showPod({ uid: pod.uid, namespace: pod.namespace ?? 'default', name: pod.name });
}

/** Creates the pod of a template and selects it. If the node rejects the pod, shows the reason and doesn't throw. */
export async function createFromTemplate({ connection }: NodeSession, id: TemplateId): Promise<void> {
  try {
    const { templates } = await import('./templates.ts');
    const template = templates.find((each) => each.id === id);
    if (!template) return;
    const { applied, errors } = await connection.command<'apply'>({ command: 'apply', manifest: template.manifest });
    if (errors[0]) throw new Error(errors[0].message);
    showApplied(applied);
  } catch (error) {
    notify('error', errorMessage(error));
  }
}
