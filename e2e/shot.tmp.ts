import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, extname } from 'node:path';
import { chromium } from '@playwright/test';
const root='/tmp/scen/site';
const types: Record<string,string>={'.html':'text/html','.js':'text/javascript','.css':'text/css','.json':'application/json','.svg':'image/svg+xml','.woff2':'font/woff2'};
const s=createServer(async (q,r)=>{ const p=new URL(q.url!,'http://x').pathname; const f=join(root,p==='/'?'index.html':p); try{ const b=await readFile(f); r.writeHead(200,{'content-type':types[extname(f)]??'application/octet-stream'}).end(b);}catch{r.writeHead(404).end();} });
await new Promise<void>(r=>s.listen(0,'127.0.0.1',()=>r()));
const port=(s.address() as any).port;
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox']});
const shots: [string,string,'light'|'dark',number,number,string,boolean][]=[
 ['notes-light','?scenario=sandbox-killed&speed=20','light',1440,900,'en',false],
 ['notes-dark-zh','?scenario=crash-loop&speed=20','dark',1024,768,'zh-CN',false],
 ['gallery-light','?scenario=one-container&speed=20','light',1440,900,'en',true],
 ['gallery-dark-zh','?scenario=one-container&speed=20','dark',1024,768,'zh-CN',true],
];
for (const [name,q,scheme,w,h,lang,gallery] of shots){
  const c=await b.newContext({viewport:{width:w,height:h},colorScheme:scheme,locale:lang});
  const p=await c.newPage();
  p.on('pageerror',e=>console.log(name,'pageerror',e.message)); p.on('console',m=>{ if(m.type()==='error') console.log(name,m.text()); });
  await p.addInitScript(()=>localStorage.setItem('podscope.preferences',JSON.stringify({state:{hintsSeen:99},version:1})));
  await p.goto(`http://127.0.0.1:${port}/${q}`);
  await p.locator('details summary').first().waitFor({timeout:60000}).catch(e=>console.log(name,'no notes'));
  await p.waitForTimeout(4000);
  if (gallery) { await p.keyboard.press('c'); await p.getByRole('dialog').waitFor({timeout:30000}); await p.waitForTimeout(1500); }
  await p.screenshot({path:`/tmp/scen/${name}.png`});
  await c.close();
}
await b.close(); s.close();
