/** Scenarios to play, and notes on the one in view. */
import { lazy } from 'react';

export const ScenarioNotes = lazy(() => import('./ScenarioNotes.tsx'));
export const ScenariosDialog = lazy(() => import('./ScenariosDialog.tsx'));
