/** Shows the selected item. */
import { lazyPart } from '../../base/ui/lazy-part.tsx';

export const Inspector = lazyPart(async () => ({ default: (await import('./Inspector.tsx')).Inspector }));
