/** Lists all scenarios. */
import type { Scenario } from './scenario.ts';
import { endingScenarios } from './scenarios/ending.ts';
import { inspectionScenarios } from './scenarios/inspection.ts';
import { interveningScenarios } from './scenarios/intervening.ts';
import { steppingScenarios } from './scenarios/stepping.ts';
import { stoppingScenarios } from './scenarios/stopping.ts';

export const scenarios: readonly Scenario[] = [
  ...stoppingScenarios,
  ...steppingScenarios,
  ...inspectionScenarios,
  ...interveningScenarios,
  ...endingScenarios,
];
