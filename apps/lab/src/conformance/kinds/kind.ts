/** Defines how the runner reads, describes and judges a kind of recorded cases. */
import type { Disagreement, NodeRecording, Release } from '@podscope/kuberuntime/testing';
import type { Tracer } from '@podscope/trace';
import { z } from 'zod';
import type { KindName } from '../vector-files.ts';

/** A disagreement between the engine and a recorded case. */
export interface Finding {
  /** The part of the case, such as `round 3, sync`. */
  readonly where?: string;
  /** Descriptions of the earlier parts of the case. */
  readonly before?: readonly string[];
  readonly disagreements: readonly Disagreement[];
}

/** The dependencies of `judge`. */
interface Tools {
  readonly release: Release;
  readonly node: () => Promise<NodeRecording>;
  /** Receives the engine's decisions. */
  readonly tracer: Tracer;
  /** Called with the title of each part of a case before the part runs. */
  readonly onPart?: (title: string) => void;
}

/** A parsed case. */
export interface VectorCase {
  readonly id: string;
  /** The release that the case was recorded from; undefined if the case doesn't name one. */
  readonly release: Release | undefined;
  /** The input of the kubelet, described in a few lines. */
  readonly situation: readonly string[];
  /** The kubelet's decision. */
  readonly recorded: readonly string[];
  /** Runs the case on the engine. @returns undefined if the engine agrees with the kubelet */
  judge(tools: Tools): Promise<Finding | undefined>;
}

export interface VectorKind {
  readonly name: KindName;
  /** Parses the JSON value of a case. @throws MalformedCase */
  read(json: unknown): VectorCase;
}

/** A line that isn't a case of the file's kind. */
export class MalformedCase extends Error {
  override readonly name = 'MalformedCase';
}

interface KindDefinition<V extends { readonly id: string }> {
  readonly name: KindName;
  readonly schema: z.ZodType<V>;
  readonly release: (vector: V) => Release | undefined;
  readonly situation: (vector: V) => readonly string[];
  readonly recorded: (vector: V) => readonly string[];
  readonly judge: (vector: V, tools: Tools) => Promise<Finding | undefined> | Finding | undefined;
}

/** Returns a kind with the type of its cases hidden, so that the runner can treat all kinds alike. */
export const defineKind = <V extends { readonly id: string }>(kind: KindDefinition<V>): VectorKind => ({
  name: kind.name,
  read(json) {
    const parsed = kind.schema.safeParse(json);
    if (!parsed.success)
      throw new MalformedCase(`no ${kind.name} case: ${z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ')}`);
    const vector = parsed.data;
    return {
      id: vector.id,
      release: kind.release(vector),
      get situation() {
        return kind.situation(vector);
      },
      get recorded() {
        return kind.recorded(vector);
      },
      judge: async (tools) => kind.judge(vector, tools),
    };
  },
});

/** Returns the release at the start of an id such as `v1.36/compute/000017`. */
export function releaseOfID(id: string): Release | undefined {
  const [first] = id.split('/');
  return first === 'v1.20' || first === 'v1.36' ? first : undefined;
}

/** Returns the disagreements as a finding, or undefined if the list is empty. */
export const findingOf = (disagreements: readonly Disagreement[]): Finding | undefined =>
  disagreements.length > 0 ? { disagreements } : undefined;
