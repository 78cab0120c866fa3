/** Loads the RE2 engine for patterns where it isn't part of the program: in a browser. */
import { isRe2Loaded, loadRe2 } from '#re2';

export const loadPatterns: () => Promise<void> = loadRe2;

/**
 * Returns true for a message that can be handled only after {@link loadPatterns}, because its expressions may use
 * `matches`.
 */
export const needsPatterns = (message: string): boolean => !isRe2Loaded() && message.includes('matches');
