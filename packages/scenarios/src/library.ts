/** All scenarios, in the order they are shown. */
import { crashes } from './library/crashes.ts';
import { images } from './library/images.ts';
import { start } from './library/start.ts';
import type { Scenario } from './scenario.ts';

export const scenarios: readonly Scenario[] = [...start, ...images, ...crashes];

/** The scenario of that id, if there is one. */
export const findScenario = (id: string): Scenario | undefined => scenarios.find((scenario) => scenario.id === id);
