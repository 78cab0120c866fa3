/** Chooses which learner gives the seat to a newcomer when a class is full. */

/** The seat of a learner. */
export interface Seat {
  readonly id: string;
  /** The address from which the learner joined. A network may share it. */
  readonly address: string;
  readonly isConnected: boolean;
  readonly hasName: boolean;
  /** True for a learner who has answered a question or raised a hand. */
  readonly isActive: boolean;
}

/**
 * Returns the id of the learner whose seat a newcomer gets: one who left without an answer, or else the last one
 * without a name and an answer from the address with the most seats. The newcomer's own address must have fewer, so
 * that one machine can't take all seats, but a class behind one address can. Returns undefined if there is no such
 * learner.
 * @param seats in the order of joining
 */
export function freeSeat(seats: readonly Seat[], address: string): string | undefined {
  const left = seats.find(({ isConnected, isActive }) => !isConnected && !isActive);
  if (left) return left.id;
  const counts = new Map<string, number>();
  for (const seat of seats) counts.set(seat.address, (counts.get(seat.address) ?? 0) + 1);
  const [crowded, most] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? ['', 0];
  if (most <= (counts.get(address) ?? 0) + 1) return undefined;
  return seats.findLast((seat) => seat.address === crowded && !seat.hasName && !seat.isActive)?.id;
}
