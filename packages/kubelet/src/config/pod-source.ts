/** Where pods come from. */
export type PodSource = 'api' | 'file' | 'http';
