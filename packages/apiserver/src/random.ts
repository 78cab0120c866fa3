/** Generates names and uids from injected randomness, so that simulated runs are reproducible. */

/** Returns a number in [0, 1). */
export type Random = () => number;

/**
 * The randomness for dry runs, whose names and uids are discarded. A dry run that used the run's random numbers would
 * change everything after it.
 */
export const noChance: Random = () => 0.5;

const hex = (random: Random, digits: number): string => {
  let text = '';
  while (text.length < digits) text += Math.floor(random() * 16).toString(16);
  return text;
};

/** Returns a version 4 UUID. */
export function newUid(random: Random): string {
  const variant = (8 + Math.floor(random() * 4)).toString(16);
  return `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-${variant}${hex(random, 3)}-${hex(random, 12)}`;
}

/**
 * The characters of random suffixes. Vowels and digits that look like letters are missing. Upstream: rand.String
 * (apimachinery).
 */
const alphanumerics = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxGeneratedLength = 63;

/**
 * Returns the name with a random suffix: `web-x7k2p` for `web-`. Upstream: simpleNameGenerator.GenerateName (apiserver,
 * v1.36).
 */
export function generateName(base: string, random: Random): string {
  let name = base.slice(0, maxGeneratedLength - suffixLength);
  for (let index = 0; index < suffixLength; index++)
    name += alphanumerics.charAt(Math.floor(random() * alphanumerics.length));
  return name;
}
