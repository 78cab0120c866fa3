/** Converts the spans of a pod in a trace storage to a run that the page can open like any other run. */
import { createHash } from 'node:crypto';
import { podTraces } from '@podscope/observer';
import { traceFileFormat, traceFileVersion, writeTraceFile } from '@podscope/trace/file';
import { StartError } from '../../start-error.ts';
import { productVersion } from '../../version.ts';
import { describeReleases, stepsOfProfile } from '../observed-run.ts';
import { findSpans, type TraceQuery } from './trace-storage.ts';

/**
 * Reads the spans of a pod and returns them as a trace file. Pods of the same name on several nodes are in one file.
 * @throws StartError if the storage can't be read, or has no span of the pod
 */
export async function tracesAsFile(query: TraceQuery): Promise<ReadableStream<Uint8Array>> {
  const { storage, url, namespace, name, from, to } = query;
  const { events, nodes, version } = podTraces(await findSpans(query), { namespace, name });
  const [first] = events;
  const last = events.at(-1);
  if (!first || !last) {
    const range = `from ${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
    throw new StartError(`${url} has no span of the pod ${namespace}/${name} ${range}`);
  }
  const { profile, ...releases } = describeReleases(version);
  const digest = createHash('sha256')
    .update(`${url} ${namespace}/${name} ${first.time} ${events.length}`)
    .digest('hex');
  const run = {
    id: `traces-${digest.slice(0, 24)}`,
    title: `${namespace}/${name} in ${storage === 'jaeger' ? 'Jaeger' : 'Tempo'}`,
    tags: [],
    notes: [],
    startedAt: first.time,
    endedAt: last.time,
    nodeName: nodes.join(', ').slice(0, 253) || 'node',
    runtime: { name: 'cri', version: '', kind: 'cri' as const },
    profile,
    engine: productVersion,
    steps: stepsOfProfile(profile),
    observed: { ...releases, sources: ['otlp'], missing: ['cri', 'pods', 'configz', 'api'] },
  };
  const header = {
    format: traceFileFormat,
    version: traceFileVersion,
    createdBy: `podscope ${productVersion}`,
    createdAt: run.startedAt,
    run,
  } as const;
  return writeTraceFile(header, events);
}
