import { findScenario } from '/work/main/packages/scenarios/src/library.ts';
import { playThrough } from '/work/main/packages/scenarios/src/testing/play-through.ts';

const [id, profile, from, to] = process.argv.slice(2);
const s = findScenario(id!)!;
const { begin, events } = await playThrough(s, profile as any);
for (const e of events) {
  const t = (e.time - begin) / 1000;
  if (t >= Number(from ?? 0) && t <= Number(to ?? 1e9))
    console.log(t.toFixed(3), JSON.stringify(e, (_, v) => (typeof v === 'bigint' ? String(v) : v)).slice(0, 300));
}
