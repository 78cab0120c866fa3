/** Shows the selected item. */
import { lazy } from 'react';

export const Inspector = lazy(async () => ({ default: (await import('./Inspector.tsx')).Inspector }));
