/**
 * Defines the number of hints. It is a separate module, so that the page knows the number without loading the hints.
 */
export const hintCount = 4;
