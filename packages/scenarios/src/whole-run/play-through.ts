/** Plays scenarios from start to end, on Node.js or in a browser. */
import { Simulation } from '@podscope/node/virtual';
import { FlowText, type Instant, type TraceEvent, toJson } from '@podscope/trace';
import { beginScenario, simulationOptionsOf } from '../play.ts';
import type { Scenario, ScenarioProfile } from '../scenario.ts';

/** A played scenario. */
export interface PlayThrough {
  /** The time at which the manifest was applied. */
  readonly begin: Instant;
  readonly events: readonly TraceEvent[];
}

/** Plays a scenario for its whole duration. @param seed of all random values; default: the simulation's seed */
export async function playThrough(
  scenario: Scenario,
  profile: ScenarioProfile,
  seed?: number | string,
): Promise<PlayThrough> {
  const simulation = new Simulation({
    ...simulationOptionsOf(scenario, profile),
    ...(seed === undefined ? {} : { seed }),
  });
  await simulation.start();
  const begin = simulation.clock.now();
  try {
    await beginScenario(scenario, simulation);
    await simulation.clock.advance(scenario.duration * 1_000);
    return { begin, events: simulation.nodeHost.log.after(0) };
  } finally {
    await simulation.stop();
  }
}

/** Formats the flow: a line per event, with the seconds since the manifest was applied. */
export function flowOf({ begin, events }: PlayThrough): string {
  const text = new FlowText();
  const lines = events
    .flatMap((event) => text.lines(event))
    .map(
      ({ time, depth, text: line }) =>
        `${((time - begin) / 1_000).toFixed(3).padStart(9)}  ${'  '.repeat(depth)}${line}`,
    );
  return `${lines.join('\n')}\n`;
}

/** Formats the whole event log, a line per event, so that two runs can be compared byte for byte. */
export const logTextOf = ({ events }: PlayThrough): string => events.map((event) => toJson(event)).join('\n');

/** Returns the SHA-256 of the log's text in hexadecimal. In a browser this requires HTTPS. */
export async function logDigestOf(played: PlayThrough): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(logTextOf(played)));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
