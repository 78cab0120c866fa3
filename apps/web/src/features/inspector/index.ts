/** Shows the selected item. */
import { lazy } from 'react';

export const loadInspector = async () => ({ default: (await import('./Inspector.tsx')).Inspector });
export const Inspector = lazy(loadInspector);
