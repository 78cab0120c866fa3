/** Number of hints, known without loading them. */
export const hintCount = 4;
