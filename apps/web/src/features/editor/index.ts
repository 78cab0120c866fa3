/** Exports the manifest editor and the dialog that creates pods. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import type { NodeSession } from '../../node/run/node-session.ts';
import type { TemplateId } from './templates.ts';

export type { CodeViewHandle } from './code-view/CodeView.tsx';
export { LazyCodeView } from './code-view/lazy-code-view.ts';

export const NewPodDialog = lazyPart(() => import('./NewPodDialog.tsx'));

/** Creates the pod of a template and selects it. If the node rejects the pod, shows the reason and doesn't throw. */
export const createFromTemplate = async (session: NodeSession, id: TemplateId): Promise<void> =>
  (await import('./apply-manifest.ts')).createFromTemplate(session, id);

/** Returns the text of a manifest file. @throws Error for a file that is too large or not text */
export const readManifest = async (file: File): Promise<string> => (await import('./draft.ts')).readManifest(file);
