/** Looks at the page with axe. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/**
 * Returns a builder of an analysis of a page without frames. The other mode, which also looks into frames of other
 * sites, opens another page for each analysis.
 */
export const axe = (page: Page): AxeBuilder =>
  new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
