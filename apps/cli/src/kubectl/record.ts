/** Implements `kubectl podscope record`: writes the events of a pod in a cluster to a trace file. */

import { isRecord, parseGoDuration } from '@podscope/base';
import {
  type CommandBody,
  onInterrupt,
  print,
  readArguments,
  report,
  UsageError,
  working,
} from '@podscope/command-line';
import { syncPodPointsOf } from '@podscope/flow';
import { RecognizedSecretMask } from '@podscope/node/secrets';
import { type HistoryEvent, PodHistory, readEvent, readPodObject } from '@podscope/pod-snapshot';
import { type ClusterConnection, ClusterError } from '@podscope/server/cluster';
import { productVersion } from '@podscope/server/version';
import { EventLog, type Instant, instant, toJson, type UnstampedEvent, VirtualClock } from '@podscope/trace';
import { writeRun } from '../run/recorder.ts';
import { clusterHelp, clusterOptions, podName, targetOf } from './options.ts';
import { describingProblems } from './problems.ts';

const options = {
  ...clusterOptions,
  output: { type: 'string', short: 'o' },
  for: { type: 'string' },
} as const;

/** Collects the history of one pod from the objects that watches deliver. */
export class PodRecorder {
  readonly #history = new PodHistory();
  readonly #mask = new RecognizedSecretMask();
  readonly #happened: HistoryEvent[] = [];
  readonly #pod: string;
  #uid: string | undefined;
  /** True after the pod was deleted. */
  isGone = false;

  /** @param pod `namespace/name` */
  constructor(pod: string) {
    this.#pod = pod;
  }

  /** Handles an object of a list (with the operation ADDED) or of a watch. */
  take(operation: 'ADDED' | 'MODIFIED' | 'DELETED', object: Readonly<Record<string, unknown>>, now: Instant): void {
    if (object['kind'] === 'Event') {
      const read = readEvent(object, this.#mask);
      const event = read && this.#uid !== undefined ? this.#history.updateEvent(this.#uid, read.event) : undefined;
      if (event) this.#happened.push(event);
      return;
    }
    const pod = readPodObject(object, this.#mask);
    if (!pod) return;
    this.#uid ??= pod.metadata.uid;
    // Ignore another pod that was created later with the same name.
    if (pod.metadata.uid !== this.#uid) return;
    this.isGone ||= operation === 'DELETED';
    this.#happened.push(...this.#history.update(operation, pod, now));
  }

  /** Returns all events so far as JSON, ordered by time. */
  texts(): readonly string[] {
    const sorted = this.#happened.toSorted((a, b) => a.at - b.at);
    let now = sorted[0]?.at ?? instant(0);
    const idle = new VirtualClock();
    // Events keep the times that the cluster reported.
    const log = new EventLog({ now: () => now, schedule: (delay, callback) => idle.schedule(delay, callback) });
    for (const { at, pod, event } of sorted) {
      now = at;
      log.append({ ...event, thread: this.#pod, pod } as UnstampedEvent);
    }
    return log.after(0).map((event) => toJson(event));
  }
}

/** Watches objects until the signal aborts. If the server ends the watch, opens it again. */
async function follow(
  cluster: ClusterConnection,
  path: string,
  resourceVersion: string,
  signal: AbortSignal,
  take: (operation: 'ADDED' | 'MODIFIED' | 'DELETED', object: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  let version = resourceVersion;
  while (!signal.aborted) {
    for await (const line of cluster.lines(`${path}&watch=true&resourceVersion=${version}`, signal)) {
      const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: unknown };
      if (!isRecord(object)) continue;
      if (type === 'ERROR') {
        // The resource version has expired, so start again from the newest state.
        version = '0';
        break;
      }
      const { metadata } = object;
      if (isRecord(metadata) && typeof metadata['resourceVersion'] === 'string') version = metadata['resourceVersion'];
      if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') take(type, object);
    }
  }
}

export const command: CommandBody = {
  help: `Usage: kubectl podscope record POD -o FILE [options]

Watches a pod and writes its history (states, back-offs, events) to a trace file, which \`podscope open\` shows, until
Ctrl+C, until the pod is deleted, or until --for is over. Secrets are masked. Nothing on the cluster is changed.

  -o, --output FILE      The trace file, for example web.podscope.
  --for DURATION         How long: 10m, 90s. Default: until Ctrl+C.
${clusterHelp}`,
  examples: [['record web -n shop -o web.podscope --for 10m', 'Record a pod for ten minutes']],
  run: (args) =>
    describingProblems(async () => {
      const { values, positionals } = readArguments(args, options, 'record');
      const name = podName(positionals, 'record');
      if (values.output === undefined) throw new UsageError('record needs -o FILE');
      const length = values.for === undefined ? undefined : parseGoDuration(values.for);
      if (values.for !== undefined && length === undefined)
        throw new UsageError(`--for ${JSON.stringify(values.for)} is not a duration such as 10m`);
      const { cluster, namespace } = targetOf(values);
      const startedAt = Date.now();
      const recorder = new PodRecorder(`${namespace}/${name}`);
      const base = `/api/v1/namespaces/${encodeURIComponent(namespace)}`;
      const paths = {
        Pod: `${base}/pods?fieldSelector=metadata.name%3D${encodeURIComponent(name)}`,
        Event: `${base}/events?fieldSelector=involvedObject.name%3D${encodeURIComponent(name)}`,
      };
      const versions = { Pod: '0', Event: '0' };
      for (const kind of ['Pod', 'Event'] as const) {
        const list = await working(`Reading ${namespace}/${name}`, () => cluster.get(paths[kind]));
        const items = Array.isArray(list['items']) ? list['items'].filter(isRecord) : [];
        if (kind === 'Pod' && items.length === 0) throw new ClusterError(404, `pod ${namespace}/${name} not found`);
        for (const item of items) recorder.take('ADDED', { apiVersion: 'v1', kind, ...item }, instant(Date.now()));
        const { metadata } = list;
        if (isRecord(metadata) && typeof metadata['resourceVersion'] === 'string')
          versions[kind] = metadata['resourceVersion'];
      }
      const { signal, end } = onInterrupt();
      const stop = new AbortController();
      signal.addEventListener('abort', () => stop.abort());
      const timer = length === undefined ? undefined : setTimeout(() => stop.abort(), length);
      report(`Recording ${namespace}/${name}. Ctrl+C ends it.`);
      const watches = (['Pod', 'Event'] as const).map((kind) =>
        follow(cluster, paths[kind], versions[kind], stop.signal, (operation, object) => {
          recorder.take(operation, { ...object, kind }, instant(Date.now()));
          if (recorder.isGone) stop.abort();
        }).catch((error: unknown) => {
          if (!stop.signal.aborted) throw error;
        }),
      );
      try {
        await Promise.all(watches);
      } finally {
        stop.abort();
        clearTimeout(timer);
        end();
      }
      const texts = recorder.texts();
      await writeRun(
        values.output,
        {
          id: `kubectl-${startedAt}`,
          tags: [],
          notes: [],
          startedAt,
          nodeName: cluster.context.slice(0, 253),
          runtime: { name: 'cluster', version: '', kind: 'cri' },
          profile: 'v1.36',
          engine: productVersion,
          steps: syncPodPointsOf('v1.36', {}).map(({ id, step = 0, title, description = '' }) => ({
            id,
            step,
            title,
            description,
          })),
        },
        `${namespace}/${name}`,
        texts,
        Date.now(),
      );
      print(`recorded ${texts.length} events in ${values.output}`);
      return 0;
    }),
};
