/** Fault plans. */
import { lazy } from 'react';

export const FaultsDialog = lazy(() => import('./FaultsDialog.tsx'));
