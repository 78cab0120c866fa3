/** Converts a recorded conversation of a genuine kubelet to a run that the page can open like any other run. */
import { createHash } from 'node:crypto';
import { syncPodPointsOf } from '@podscope/flow';
import {
  chooseProfile,
  type Observer,
  type ProfileChoice,
  type Recording,
  type Replayed,
  replay,
  type SourceName,
} from '@podscope/observer';
import { type RunInfo, traceFileFormat, traceFileVersion, writeTraceFile } from '@podscope/trace/file';
import { productVersion } from '../version.ts';
import { readRecordingDirectory } from './recording-directory.ts';

const allSources: readonly SourceName[] = ['cri', 'pods', 'configz', 'otlp', 'api'];

/** Returns the profile that fits a kubelet's release, and how the release differs from the profile. */
export function describeReleases(
  version: string | undefined,
): Pick<ProfileChoice, 'profile'> & Pick<NonNullable<RunInfo['observed']>, 'version' | 'approximate' | 'differences'> {
  const { profile, approximate, differences } = chooseProfile(version);
  return {
    ...(version === undefined ? {} : { version }),
    profile,
    approximate,
    differences: differences.map(({ text }) => text),
  };
}

/** Describes an observed kubelet to clients. */
export function observedInfoOf({ facts, sources }: Observer): NonNullable<RunInfo['observed']> {
  const { profile: _profile, ...releases } = describeReleases(facts.version);
  return {
    ...releases,
    sources: allSources.filter((source) => sources.has(source)),
    missing: allSources.filter((source) => !sources.has(source)),
  };
}

/** Returns the numbered steps of a profile. */
export const stepsOfProfile = (profile: ProfileChoice['profile']): RunInfo['steps'] =>
  syncPodPointsOf(profile, {}).map(({ id, step, title, description }) => ({
    id,
    step: step ?? 0,
    title,
    description: description ?? '',
  }));

/** Returns the numbered steps of the shadow engine's profile. */
export const stepsOf = (observer: Observer): RunInfo['steps'] => stepsOfProfile(observer.profile.profile);

function infoOf(recording: Recording, { observer, events }: Replayed, title: string): RunInfo {
  const digest = createHash('sha256').update(`${title} ${recording.startedAt} ${recording.calls.length}`).digest('hex');
  const { name = 'cri', version = '' } = observer.runtime ?? {};
  return {
    id: `observed-${digest.slice(0, 24)}`,
    title,
    tags: [],
    notes: [],
    startedAt: recording.startedAt,
    endedAt: events.at(-1)?.time ?? recording.startedAt,
    nodeName: recording.facts.nodeName ?? 'node',
    runtime: { name, version, kind: 'cri' },
    profile: observer.profile.profile,
    engine: productVersion,
    steps: stepsOf(observer),
    observed: observedInfoOf(observer),
  };
}

/**
 * Replays a session of a recording and returns it as a trace file.
 * @throws StartError if the recording can't be read
 */
export async function recordingAsFile(directory: string, session: string): Promise<ReadableStream<Uint8Array>> {
  const recording = readRecordingDirectory(directory, session);
  const replayed = await replay(recording);
  const run = infoOf(recording, replayed, `session ${session}`);
  const header = {
    format: traceFileFormat,
    version: traceFileVersion,
    createdBy: `podscope ${productVersion}`,
    createdAt: run.startedAt,
    run,
  } as const;
  return writeTraceFile(header, replayed.events);
}
