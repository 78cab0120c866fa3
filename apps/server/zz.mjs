import { WebSocket } from 'ws';
import { readFileSync } from 'node:fs';
const token = /token: (\S+)/.exec(readFileSync('/tmp/fake/st2/kubeconfig','utf8'))[1];
const ws = new WebSocket('ws://127.0.0.1:4412/stream', { headers: { authorization: 'Bearer ' + token } });
const t0 = Date.now(); const late = {}; let n=0;
ws.on('open', () => ws.send(JSON.stringify({ type: 'hello', protocol: 1 })));
ws.on('message', (d) => { const m = JSON.parse(d.toString()); if (m.events && Date.now() - t0 > 1000) for (const e of m.events) { n++; const k = e.type + ' ' + (e.point ?? e.rule ?? e.message ?? '') + ' ' + e.thread; late[k] = (late[k] ?? 0) + 1; } });
setTimeout(() => { console.log(n, late); process.exit(); }, 31000);
