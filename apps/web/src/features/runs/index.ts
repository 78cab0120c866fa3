/** Exports the dialog of saved runs. */
import { lazy } from 'react';

export const RunsDialog = lazy(() => import('./RunsDialog.tsx'));
