/** Saved runs. */
import { lazy } from 'react';

export const RunsDialog = lazy(() => import('./RunsDialog.tsx'));
