/** Reads the engine's options from the page's address, for the page and for the engine's worker. */
import { type EngineOptions, engineOptionsSchema } from './engine-messages.ts';

const numeric = (text: string): number | string => (/^\d{1,15}$/.test(text) ? Number(text) : text);

/** Returns the options of a query string. An invalid option is ignored; the valid options still apply. */
export function readEngineOptions(search: string): EngineOptions {
  const parameters = new URLSearchParams(search);
  const [seed, speed, time, scenario] = ['seed', 'speed', 'time', 'scenario'].map((name) => parameters.get(name));
  const given = Object.entries({
    ...(seed ? { seed: numeric(seed) } : {}),
    ...(speed ? { speed: Number(speed) } : {}),
    ...(time ? { time: Number(time) } : {}),
    ...(parameters.has('profile') ? { profile: parameters.get('profile') } : {}),
    ...(parameters.has('paused') ? { paused: true } : {}),
    ...(parameters.get('simulation') ? { simulation: parameters.get('simulation') } : {}),
    ...(scenario ? { scenario } : {}),
  });
  const valid = given.filter(([name, value]) => engineOptionsSchema.safeParse({ [name]: value }).success);
  return engineOptionsSchema.parse(Object.fromEntries(valid));
}
