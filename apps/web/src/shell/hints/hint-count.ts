/** The number of hints. It is a separate module, so that the page knows it without loading the hints. */
export const hintCount = 4;
