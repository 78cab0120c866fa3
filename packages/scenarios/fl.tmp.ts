import { findScenario } from './src/library.ts';
import { flowOf, playThrough } from './src/testing/play-through.ts';

const [id, profile, seed] = process.argv.slice(2);
console.log(flowOf(await playThrough(findScenario(id!)!, profile as any, seed === undefined ? undefined : Number(seed))));
