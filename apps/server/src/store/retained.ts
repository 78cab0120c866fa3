/** Defines how many events stay in memory. */

/** The maximum number of events in memory if older events are in the store. */
export const retainedWithStore = 50_000;
