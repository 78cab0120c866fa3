/**
 * Makes the recordings that lessons show: `pnpm record-lessons`, with a Docker engine, in a few seconds. A node on
 * Docker first runs another pod, so that calls that are made only once per engine aren't in the recording, and then the
 * pod of a scenario. The recording contains the events of that pod until it is ready. `--sandbox-image IMAGE` names
 * another sandbox image, for engines that can't pull the default one.
 */
import { getServers } from 'node:dns';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createLogger, parseCommandLine, productVersion, startServer } from '../apps/server/src/embed.ts';
import { podManifest } from '../packages/scenarios/src/library/authoring.ts';
import { oneContainer } from '../packages/scenarios/src/library/start/one-container.ts';
import type { TraceEvent } from '../packages/trace/src/events/event.ts';
import { traceEventSchema } from '../packages/trace/src/events/event-schema.ts';
import { traceFileFormat, traceFileVersion, writeTraceFile } from '../packages/trace/src/file/index.ts';

const folder = resolve(import.meta.dirname, '../packages/lessons/recordings');

/** The release of the recordings. Its kubelet contained dockershim. */
const profile = 'v1.20';

const statusSchema = z.looseObject({
  conditions: z.array(z.looseObject({ type: z.string(), status: z.string() })).default([]),
});

const isReady = (event: TraceEvent, uid: string): boolean =>
  event.type === 'podStatus' &&
  event.pod === uid &&
  statusSchema.parse(event.status).conditions.some(({ type, status }) => type === 'Ready' && status === 'True');

const isOfPod = (event: TraceEvent, uid: string): boolean =>
  !('pod' in event) || event.pod === undefined || event.pod === uid;

/**
 * Returns the events of the pod, from its first event to the end of the sync that finds it ready, numbered from 1 and
 * without the events of other pods. Returns an empty list before that end.
 */
function eventsOf(uid: string, all: readonly TraceEvent[]): readonly TraceEvent[] {
  const since = all
    .slice(all.findIndex((event) => event.type === 'podChanged' && event.pod === uid))
    .filter((event) => isOfPod(event, uid));
  const ready = since.findIndex((event) => isReady(event, uid));
  if (ready < 0) return [];
  const sync = since
    .slice(0, ready)
    .findLast((event) => event.type === 'spanStarted' && event.point === 'kubelet.SyncPod')?.span;
  const events = since.slice(0, since.findIndex((event) => event.type === 'spanEnded' && event.span === sync) + 1);
  const begun = new Set(events.flatMap((event) => (event.type === 'spanStarted' ? [event.span] : [])));
  return events
    .filter((event) => event.type !== 'spanEnded' || begun.has(event.span))
    .map((event, index) => ({ ...event, seq: index + 1 }));
}

/** Replaces the parts of a text that identify the recording machine: its folders and its name servers. */
function withoutMachine(text: string, stateDir: string): string {
  return getServers().reduce(
    (rest, server) => rest.replaceAll(server, '192.0.2.53'),
    text.replaceAll(stateDir, '/var/lib/podscope'),
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { 'sandbox-image': { type: 'string' } } });
  const image = values['sandbox-image'];
  const stateDir = await mkdtemp(join(tmpdir(), 'podscope-record-'));
  const parsed = parseCommandLine([
    '--runtime',
    'docker',
    '--port',
    '0',
    '--state-dir',
    stateDir,
    '--profile',
    profile,
    ...(image === undefined ? [] : ['--sandbox-image', image]),
  ]);
  if (parsed.action !== 'serve') throw new Error('the options do not start a server');
  const server = await startServer(parsed.options, {
    logger: createLogger('error'),
    notify: console.log,
    preparePage: () => Promise.resolve(undefined),
  });
  const { nodeHost } = server;
  try {
    const recorded = nodeHost.recorded();
    const all: TraceEvent[] = [];
    const run = async (manifest: string): Promise<readonly TraceEvent[]> => {
      const { applied, errors } = await nodeHost.commands.apply(manifest);
      const uid = applied.find(({ kind }) => kind === 'Pod')?.uid;
      if (uid === undefined) throw new Error(errors.map(({ message }) => message).join('\n'));
      return new Promise((done) => {
        const unsubscribe = nodeHost.log.subscribe(() => {
          const events = eventsOf(uid, all);
          if (events.length === 0) return;
          unsubscribe();
          done(events);
        });
      });
    };
    nodeHost.log.subscribe((event) =>
      all.push(traceEventSchema.parse(JSON.parse(withoutMachine(recorded.encode(event), stateDir)))),
    );
    await run(
      podManifest('before', '\ncontainers:\n  - name: app\n    image: busybox:1.36\n    command: [sleep, "3600"]\n'),
    );
    const events = await run(oneContainer.manifest);
    const [startedAt = 0, endedAt = 0] = [events[0]?.time, events.at(-1)?.time];
    const header = {
      format: traceFileFormat,
      version: traceFileVersion,
      createdBy: `podscope ${productVersion}`,
      createdAt: endedAt,
      run: { ...recorded.info, title: 'one-container-on-docker', startedAt, endedAt },
    } as const;
    const file = join(folder, 'one-container-on-docker.podscope');
    await writeFile(file, writeTraceFile(header, events));
    console.log(`${file}: ${events.length} events`);
  } finally {
    await server.stop();
    await rm(stateDir, { recursive: true, force: true });
  }
}

await main();
