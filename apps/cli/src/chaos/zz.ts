import { makeSchedule, describeAct } from './schedule.ts';
import { runSchedule } from './run-schedule.ts';
const [from, to] = process.argv.slice(2).map(Number);
const t = performance.now();
let bad = 0, ev=0;
for (let seed = from!; seed <= to!; seed++) {
  const s0=performance.now();
  const o = await runSchedule(makeSchedule(seed));
  ev+=o.events;
  if (o.problems.length) { bad++; console.log('seed', seed, (performance.now()-s0).toFixed(0)+'ms', 'lost', o.lost, 'leaked', o.leaked, 'ev', o.events, 'calls', o.calls); for (const p of o.problems.slice(0,6)) console.log('   ', p.slice(0,600)); if (process.env.V) for (const a of makeSchedule(seed).acts) console.log('      ', describeAct(a)); }
}
console.log('bad', bad, 'of', to!-from!+1, ((performance.now()-t)/(to!-from!+1)).toFixed(0), 'ms each', ev);
