/** Checks the accessibility of the page with axe. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Returns a builder for an analysis of a page without frames. The other mode also analyzes frames of other sites, but
 * opens another page for each analysis.
 */
export const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
