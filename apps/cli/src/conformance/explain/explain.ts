export const explainCase = (..._args: unknown[]): Promise<number> => Promise.resolve(1);
