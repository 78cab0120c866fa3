/** Exports the components that explain the state of a pod. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export { ShowFieldContext } from './FieldLink.tsx';
export { ExitMeaning, LazyCauses, LazyDecisions } from './lazy-why.ts';

export const CauseList = lazyPart(async () => ({ default: (await import('./CauseList.tsx')).CauseList }));
export const Findings = lazyPart(async () => ({ default: (await import('./Findings.tsx')).Findings }));

/** Loads the functions that render explanations: their texts are large. */
export const loadExplanations = () => import('./translate-texts.ts');
