/** What a kind of recorded cases is to the runner. */
import type { Disagreement, NodeRecording, Release } from '@podscope/kuberuntime/testing';
import type { Tracer } from '@podscope/trace';
import { z } from 'zod';
import type { KindName } from '../vector-files.ts';

/** In what a case differs. */
export interface Finding {
  /** Where in the case: `round 3, sync`. */
  readonly where?: string;
  /** What came before that, a line each. */
  readonly before?: readonly string[];
  readonly disagreements: readonly Disagreement[];
}

/** What judging a case needs beside the case. */
interface Tools {
  readonly release: Release;
  readonly node: () => Promise<NodeRecording>;
  /** Hears how the engine decides. */
  readonly tracer: Tracer;
  /** Hears of each part of a case that has several, before it is run. */
  readonly onPart?: (title: string) => void;
}

/** A case that was read. */
export interface VectorCase {
  readonly id: string;
  /** The release it was recorded from, as far as it says; undefined: the same in all. */
  readonly release: Release | undefined;
  /** What was given to the kubelet, told in a few lines. */
  readonly situation: readonly string[];
  /** What the kubelet made of it. */
  readonly recorded: readonly string[];
  /** Gives it to the engine: undefined when that does as the kubelet did. */
  judge(tools: Tools): Promise<Finding | undefined>;
}

export interface VectorKind {
  readonly name: KindName;
  /** @throws MalformedCase */
  read(json: unknown): VectorCase;
}

/** A line that is no case of its kind. */
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

/** A kind with its cases' type hidden: the runner treats all kinds alike. */
export const defineKind = <V extends { readonly id: string }>(kind: KindDefinition<V>): VectorKind => ({
  name: kind.name,
  read(json) {
    const parsed = kind.schema.safeParse(json);
    if (!parsed.success) throw new MalformedCase(`no ${kind.name} case: ${z.prettifyError(parsed.error).replaceAll(/\s*\n\s*/g, ' ')}`);
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

/** The release that the id begins with: `v1.36/compute/000017`. */
export function releaseOfID(id: string): Release | undefined {
  const [first] = id.split('/');
  return first === 'v1.20' || first === 'v1.36' ? first : undefined;
}

/** Disagreements as a finding. */
export const findingOf = (disagreements: readonly Disagreement[]): Finding | undefined => (disagreements.length > 0 ? { disagreements } : undefined);
