/** What the parts of the fold share: the tracks, and indexes from ids to the place in them. */
import type { Attributes } from '../event.ts';
import { textAt } from './attribute-values.ts';
import {
  type MutableActivity,
  type MutableAttempt,
  type MutableContainer,
  type MutablePod,
  type MutableSpan,
  type MutableSync,
  newPodTrack,
} from './mutable-tracks.ts';
import { SpanTable } from './span-table.ts';

export interface LocatedAttempt {
  readonly pod: MutablePod;
  readonly track: MutableContainer;
  readonly attempt: MutableAttempt;
}

export interface LocatedActivity {
  readonly pod: MutablePod;
  readonly track: MutableContainer;
  readonly activity: MutableActivity;
}

export class FoldState {
  readonly pods = new Map<string, MutablePod>();
  spans = new SpanTable();
  /** By sandbox or container id. */
  readonly attempts = new Map<string, LocatedAttempt>();
  /** By span; those that go on. */
  readonly activities = new Map<number, LocatedActivity>();
  /** By the span of SyncPod. */
  readonly syncs = new Map<number, MutableSync>();

  /** The pod's track, begun at `time` when it was not heard of before. */
  podOf(uid: string, time: number): MutablePod {
    let pod = this.pods.get(uid);
    if (!pod) {
      pod = newPodTrack(uid, time);
      this.pods.set(uid, pod);
    }
    return pod;
  }

  /** The first of `span` and the spans around it for which `pick` finds something. */
  outward<T>(span: number | undefined, pick: (span: MutableSpan) => T | undefined): T | undefined {
    for (
      let record = span === undefined ? undefined : this.spans.get(span);
      record;
      record = record.parent === undefined ? undefined : this.spans.get(record.parent)
    ) {
      const found = pick(record);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The container a span is about: named by its own attributes or by those of a span around it. */
  containerNameAround(span: number): string | undefined {
    return this.outward(span, ({ attributes }) => containerNameIn(attributes));
  }

  /** The sync that a span belongs to. */
  syncAround(span: number | undefined): MutableSync | undefined {
    return this.outward(span, ({ id }) => this.syncs.get(id));
  }
}

const containerNameIn = (attributes: Attributes): string | undefined =>
  textAt(attributes, 'container') ?? textAt(attributes, 'container', 'name') ?? textAt(attributes, 'containerName');
