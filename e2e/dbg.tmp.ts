import { startPodscope } from './support/podscope.ts';
import { parseManifests } from '@podscope/k8s';
import { scenarios } from '@podscope/scenarios';
const t0=Date.now(); const T=()=>((Date.now()-t0)/1000).toFixed(1);
const p = await startPodscope({ runtime:'docker', args:['--allow-host-namespaces','--no-build']});
console.log(T(),'started');
const ex = scenarios.filter(s=>s.docker);
await Promise.all(ex.map(async s=>{ for (const {object} of parseManifests(s.manifest).objects) { try { await p.api.create(object as any); console.log(T(), 'created', (object as any).metadata.name);} catch(e){console.log(T(),'ERR',s.id,String(e).slice(0,200))} } }));
console.log(T(),'all');
for (let i=0;i<24;i++){ await new Promise(r=>setTimeout(r,5000)); const r=await (await p.api.request('GET','/api/v1/namespaces/default/pods')).json() as any; console.log(T(), r.items.filter((x:any)=>x.status.podIP).length, r.items.map((x:any)=>x.status.phase[0]).join('')); }
console.log(await p.stop()); console.log(T());
