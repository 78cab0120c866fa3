/** Exports the inspector, which shows the details of the selected item. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const Inspector = lazyPart(async () => ({ default: (await import('./Inspector.tsx')).Inspector }));
