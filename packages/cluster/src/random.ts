/** Names and ids made from an injected source of randomness, so that a run in the simulator repeats. */

/** A number in [0, 1). */
export type Random = () => number;

/** For names and ids that nobody will ever have: those of dry runs. Drawing from a run's own chance would change what comes. */
export const noChance: Random = () => 0.5;

const hex = (random: Random, digits: number): string => {
  let text = '';
  while (text.length < digits) text += Math.floor(random() * 16).toString(16);
  return text;
};

/** A version 4 UUID. */
export function newUid(random: Random): string {
  const variant = (8 + Math.floor(random() * 4)).toString(16);
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${variant}${hex(random, 3)}-${hex(random, 12)}`;
}

/** No vowels and no digits that look like letters. Upstream: rand.String (apimachinery). */
const alphanumerics = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxGeneratedLength = 63;

/** `web-` → `web-x7k2p`. Upstream: simpleNameGenerator.GenerateName (apiserver, v1.36). */
export function generateName(base: string, random: Random): string {
  let name = base.slice(0, maxGeneratedLength - suffixLength);
  for (let index = 0; index < suffixLength; index++) name += alphanumerics.charAt(Math.floor(random() * alphanumerics.length));
  return name;
}
