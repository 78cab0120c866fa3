/** Parses and formats the amounts in a kubelet's messages about missing resources for a pod or a resize. */
import { quantityNanos, quantityText } from '../memory-limit.ts';

const cpuText = (milli: number): string => (milli % 1_000 === 0 ? String(milli / 1_000) : `${milli}m`);

/** Formats an amount in a kubelet's message. The kubelet writes cpu in milli-CPUs and other resources in bytes. */
export const amountText = (resource: string, amount: number): string =>
  resource === 'cpu' ? cpuText(amount) : resource === 'memory' ? quantityText(BigInt(amount)) : String(amount);

/** Parses an amount into the units of a kubelet's message. */
export const unitsOf = (resource: string, text: string): number => {
  const nanos = quantityNanos(text) ?? 0n;
  return Number(resource === 'cpu' ? nanos / 1_000_000n : nanos / 1_000_000_000n);
};

/** Rounds an amount down to a usual unit: whole CPUs, or whole mebibytes. */
export const fitting = (resource: string, amount: number): string =>
  resource === 'cpu' && amount >= 1_000 ? String(Math.floor(amount / 1_000)) : amountText(resource, Math.floor(amount));

/** Matches the message with which a kubelet refuses a pod or a resize for lack of resources. */
export const nodeResources =
  /(?:Node )?didn't have enough (?:resource|capacity): (?<resource>\S+?), requested: (?<requested>\d+)(?:, used: (?<used>\d+))?, capacity: (?<capacity>\d+)/;
