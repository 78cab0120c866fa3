/** Builds the lanes of a folded run. Rebuilds a lane only if its content has changed. */
import type { PodTrack, RunFold } from '@podscope/trace';
import type { Lane, TimelineModel } from '../model.ts';
import { englishWords, type TimelineWords } from '../words/words.ts';
import { ContainerLane } from './container-lane.ts';
import { debugLane } from './debug-lane.ts';
import { NodeLanes, type NodeSource } from './node-lanes.ts';
import { overviewLane } from './overview-lane.ts';
import { EventsLane, phaseLane } from './pod-lanes.ts';
import { ProbeLanes } from './probes-lane.ts';
import { pullsLane } from './pulls-lane.ts';
import { WorkerLane } from './worker-lane.ts';

/** The part of a fold that the lanes read. */
export type RunSource = Pick<RunFold, 'pods' | 'pod' | 'span' | 'lastTime'>;

class PodLanes {
  #pod: PodTrack;
  readonly #source: RunSource;
  readonly #group: string | undefined;
  readonly #words: TimelineWords;
  readonly #worker = new WorkerLane();
  readonly #events = new EventsLane();
  readonly #containers = new Map<string, ContainerLane>();
  readonly #probes: ProbeLanes;
  readonly #kept = new Map<string, { readonly key: string; readonly lane: Lane | undefined }>();
  #version = -1;
  #lanes: readonly Lane[] = [];

  constructor(source: RunSource, pod: PodTrack, group: string | undefined, words: TimelineWords) {
    this.#source = source;
    this.#pod = pod;
    this.#group = group;
    this.#words = words;
    this.#probes = new ProbeLanes(words);
  }

  /**
   * Returns true if `pod` is a later record of the same pod in the same run. If so, these lanes can be extended with
   * it. A fold that went back in time has an earlier record.
   */
  goOn(source: RunSource, pod: PodTrack): boolean {
    const before = this.#pod;
    if (pod === before) return true;
    const isLater =
      pod.version >= this.#version &&
      pod.firstTime === before.firstTime &&
      pod.syncs[0]?.span === before.syncs[0]?.span;
    if (source !== this.#source || !isLater) return false;
    this.#pod = pod;
    return true;
  }

  /**
   * Returns the lanes in order: the lane of the pod as a whole, the lanes of its containers (each followed by its
   * probes), then all other lanes.
   */
  lanes(source: RunSource): readonly Lane[] {
    const pod = this.#pod;
    if (pod.version === this.#version) return this.#lanes;
    this.#version = pod.version;
    const group = this.#group;
    const words = this.#words;
    const spanOf = (id: number) => source.span(id);
    const life = `${pod.firstTime} ${pod.deletionRequestedAt} ${pod.deletedAt}`;
    const probes = this.#probes.lanes(pod, group);
    const changes = `${pod.stops.length} ${pod.stops.at(-1)?.end} ${pod.interventions.length}`;
    const pulls = pod.containers.map(({ version }) => version).join();
    this.#lanes = [
      this.#keep('phase', `${pod.phases.length} ${life}`, () => phaseLane(pod, group, words)),
      this.#worker.lane(pod, spanOf, group, words),
      ...[pod.sandbox, ...pod.containers].flatMap((track) => [
        this.#keep(track.name, `${track.version} ${track.type} ${life}`, () =>
          this.#containerLane(track.name).lane(track, pod, spanOf, group, words),
        ),
        this.#keepSame(`${track.name}/probes`, probes.get(track.name)),
      ]),
      this.#keep('pulls', pulls, () => pullsLane(pod, spanOf, group, words)),
      this.#keep('events', String(pod.events.length), () => this.#events.lane(pod, group, words)),
      this.#keep('debug', changes, () => debugLane(pod, group, words)),
    ].filter((lane) => lane !== undefined);
    return this.#lanes;
  }

  #containerLane(name: string): ContainerLane {
    const known = this.#containers.get(name) ?? new ContainerLane();
    this.#containers.set(name, known);
    return known;
  }

  #keep(name: string, key: string, make: () => Lane | undefined): Lane | undefined {
    const kept = this.#kept.get(name);
    if (kept?.key === key) return kept.lane;
    const lane = make();
    this.#kept.set(name, { key, lane });
    return lane;
  }

  #keepSame(name: string, lane: Lane | undefined): Lane | undefined {
    return this.#keep(
      name,
      lane ? `${lane.markers.length} ${lane.items.map(({ id }) => id).join()} ${lane.rows}` : '',
      () => lane,
    );
  }
}

/** Builds the models of one run. Parts that haven't changed are the same objects in the next model. */
export class RunLanes {
  readonly #pods = new Map<string, PodLanes>();
  readonly #node: NodeLanes;
  readonly #overviews = new Map<string, { readonly of: readonly Lane[]; readonly lane: Lane }>();
  readonly #words: TimelineWords;

  /** @param words the texts of lanes and items */
  constructor(words: TimelineWords = englishWords) {
    this.#words = words;
    this.#node = new NodeLanes(words);
  }

  /**
   * Returns the lanes of the pods with these UIDs, or of all pods, one after another.
   * @param live false for a file or for a time in the past; open items then don't grow
   */
  model(source: RunSource, uids?: readonly string[], live = true): TimelineModel {
    const pods = uids ? uids.flatMap((uid) => source.pod(uid) ?? []) : source.pods();
    const lanes = pods.flatMap((pod) => this.#lanesOf(source, pod, pods.length > 1).lanes(source));
    return { ...this.#rangeOf(source, pods, live), lanes };
  }

  /**
   * Returns the lanes of a genuine kubelet's work that belongs to no pod: one lane, or a lane for each thread if
   * `isExpanded`.
   */
  node(source: NodeSource, isExpanded: boolean): readonly Lane[] {
    return this.#node.lanes(source, isExpanded);
  }

  /** Returns one lane for each of these pods, in this order. */
  overview(source: RunSource, uids: readonly string[]): TimelineModel {
    const pods = uids.flatMap((uid) => source.pod(uid) ?? []);
    const lanes = pods.map((pod) => {
      const own = this.#lanesOf(source, pod, false).lanes(source);
      const known = this.#overviews.get(pod.uid);
      if (known?.of === own) return known.lane;
      const lane = overviewLane(pod.uid, pod.name, own);
      this.#overviews.set(pod.uid, { of: own, lane });
      return lane;
    });
    return { ...this.#rangeOf(source, pods, true), lanes };
  }

  #rangeOf(source: RunSource, pods: readonly PodTrack[], live: boolean): Omit<TimelineModel, 'lanes'> {
    const firsts = pods.map(({ firstTime }) => firstTime);
    const isOver = pods.length > 0 && pods.every(({ deletedAt }) => deletedAt !== undefined);
    return {
      origin: firsts.length > 0 ? Math.min(...firsts) : (source.lastTime ?? 0),
      end: Math.max(
        ...pods.map(({ lastTime }) => lastTime),
        ...(pods.length === 0 || live ? [source.lastTime ?? 0] : []),
      ),
      live: live && !isOver,
    };
  }

  #lanesOf(source: RunSource, pod: PodTrack, isOneOfMany: boolean): PodLanes {
    const group = isOneOfMany ? pod.name : undefined;
    const key = `${pod.uid} ${group}`;
    const known = this.#pods.get(key);
    if (known?.goOn(source, pod)) return known;
    const lanes = new PodLanes(source, pod, group, this.#words);
    this.#pods.set(key, lanes);
    return lanes;
  }
}
