import { DockerEngine } from '/work/main/apps/cli/src/twin/run/docker-engine.ts';
import { replay } from '/work/main/apps/cli/src/twin/run/replay.ts';
import { provideImages } from '/work/main/apps/cli/src/twin/images.ts';
const c = (o: object) => ({ name: 'app', image: 'busybox:1.36', ...o });
const sh = (s: string) => ['sh', '-c', s];
const sleeper = sh('trap "exit 0" TERM; while :; do sleep 0.1; done');
const specs: Record<string, object> = {
  oom: { restartPolicy: 'Never', containers: [c({ command: sh('x=a; while :; do x=$x$x; done'), resources: { limits: { memory: '16Mi' } } })] },
  poststart: { containers: [c({ command: sleeper, lifecycle: { postStart: { exec: { command: ['sh', '-c', 'echo no; exit 3'] } } } })] },
  nonroot: { containers: [c({ command: sleeper, securityContext: { runAsNonRoot: true } })] },
  never: { containers: [c({ image: 'nowhere:1', imagePullPolicy: 'Never' })] },
  badname: { containers: [c({ image: 'Bad//Name' })] },
  nocommand: { containers: [c({ command: ['/no/such'] })] },
  configmap: { containers: [c({ command: sleeper, env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'cfg', key: 'a' } } }] })] },
  subpath: { volumes: [{ name: 'v', emptyDir: {} }], containers: [c({ command: sleeper, volumeMounts: [{ name: 'v', mountPath: '/v', subPath: 'a/b' }] })] },
  readiness: { containers: [c({ command: sleeper, readinessProbe: { exec: { command: ['false'] }, periodSeconds: 2 } })] },
  startup: { containers: [c({ command: sh('sleep 5; touch /up; trap "exit 0" TERM; while :; do sleep 0.1; done'), startupProbe: { exec: { command: ['cat', '/up'] }, periodSeconds: 2 }, readinessProbe: { exec: { command: ['true'] }, periodSeconds: 2 } })] },
  hostnet: { hostNetwork: true, containers: [c({ command: sleeper })] },
  initfail: { initContainers: [{ name: 'init', image: 'busybox:1.36', command: sh('exit 2') }], containers: [c({ command: sleeper })] },
  deadline: { activeDeadlineSeconds: 5, containers: [c({ command: sleeper })] },
  termmsg: { restartPolicy: 'Never', containers: [c({ command: sh('echo bye > /dev/termination-log; exit 1') })] },
  sysctl: { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] }, containers: [c({ command: sleeper })] },
  toobig: { containers: [c({ command: sleeper, resources: { requests: { cpu: '1000' } } })] },
};
const only = process.argv.slice(2);
const engine = new DockerEngine('/var/run/docker.sock');
const recordings = Object.entries(specs).filter(([n]) => only.length === 0 || only.includes(n)).map(([name, spec], i) => {
  const uid = `00000000-0000-4000-8000-0000000009${String(i).padStart(2, '0')}`;
  return { name, kubelet: 'v1.20.2', manifest: { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', uid }, spec: { terminationGracePeriodSeconds: 2, ...spec } },
    actions: [{ t: 0, action: 'manifest written' }, { t: 25000, action: 'manifest removed' }], pod: { key: `default/${name}-twin-node`, uids: [uid] }, statuses: [], events: [], syncLoop: [], engineEvents: [], creates: {} };
});
const release = await provideImages(engine, recordings as never);
await Promise.all(recordings.map(async (r, i) => {
  await new Promise((f) => setTimeout(f, i * 1500));
  const seen = await replay(r as never, engine);
  const out = [`== ${r.name}`, ...seen.trouble];
  for (const e of seen.events) out.push(`  ${e.t} ${e.type} ${e.reason}: ${e.message.trim()}`);
  for (const s of seen.statuses) { const st = s.status as any; out.push(`  status ${s.t} ${st?.phase} ${st?.reason ?? ''} ${st?.message ?? ''} ${st?.podIP ?? ''} ${[...(st?.initContainerStatuses ?? []), ...(st?.containerStatuses ?? [])].map((x: any) => x.name + ':' + JSON.stringify(x.state) + ' r' + x.ready + ' s' + x.started + ' #' + x.restartCount).join(' | ').replaceAll(/"(startedAt|finishedAt|containerID)":"[^"]*",?/g, '')}`); }
  for (const e of seen.trace.events) if (!e.action.startsWith('exec')) out.push(`  engine ${e.t} ${e.action} ${e.container}#${e.attempt} ${e.exitCode ?? ''} ${(e as any).signal ?? ''}`);
  for (const [k, v] of seen.trace.creates as any) { const insp = await v.inspection; out.push('  binds ' + k + ' ' + JSON.stringify(insp?.HostConfig?.Binds)); }
  console.log(out.join('\n'));
}));
await release();
process.exit(0);
