/** Parses the list of scenarios that `podscope dap --scenarios` prints. */
import { z } from 'zod';

const localized = z.object({ en: z.string(), zh: z.string() });

const scenariosSchema = z.array(
  z.object({
    id: z.string(),
    category: z.string(),
    title: localized,
    summary: localized,
    profiles: z.array(z.string()).min(1),
  }),
);
export type ListedScenario = z.infer<typeof scenariosSchema>[number];

/** An entry of VS Code's quick pick. */
export interface ScenarioItem {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
  readonly scenario: ListedScenario;
}

/**
 * Returns the entries of the printed list, in its order.
 * @throws Error if the text isn't a list of scenarios
 */
export function scenarioItems(printed: string, language: string): readonly ScenarioItem[] {
  const words = language.toLowerCase().startsWith('zh') ? 'zh' : 'en';
  return scenariosSchema.parse(JSON.parse(printed)).map((scenario) => ({
    label: scenario.title[words],
    description: scenario.id,
    detail: scenario.summary[words],
    scenario,
  }));
}
