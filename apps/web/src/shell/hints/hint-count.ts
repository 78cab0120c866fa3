/** How many first hints there are: known without loading them. */
export const hintCount = 4;
