/** Exports the dialog of faults and fault plans. */
import { lazy } from 'react';

export const FaultsDialog = lazy(() => import('./FaultsDialog.tsx'));
