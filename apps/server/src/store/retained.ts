/** Names how many events stay in memory. */

/** The maximum number of events in memory when older ones are in the store. */
export const retainedWithStore = 50_000;
