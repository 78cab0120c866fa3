/** Provides the translated texts of the canvas. */
import type { TimelineWords } from '@podscope/timeline';
import { type translate, useT } from '../../base/i18n/i18n.ts';
import { pointTitle } from '../../node/points/step-text.ts';
import { sourceText } from '../../node/sources/source-text.ts';
import { timelineWordMessages as words } from './messages.en.ts';

const made = new WeakMap<typeof translate, TimelineWords>();

function wordsOf(t: typeof translate): TimelineWords {
  const results = {
    success: t(words.success),
    warning: t(words.warning),
    failure: t(words.failure),
    missed: t(words.missed),
  };
  const stopReason = (reason: string): string => t(words.stopReason, { reason });
  return {
    states: {
      pending: t(words.pending),
      pulling: t(words.pulling),
      creating: t(words.creating),
      running: t(words.running),
      stopping: t(words.stopping),
      succeeded: t(words.succeeded),
      error: t(words.error),
      backoff: t(words.backoff),
      waiting: t(words.waiting),
      worker: t(words.worker),
      sync: t(words.sync),
      step: t(words.step),
      call: t(words.call),
      hook: t(words.hook),
      paused: t(words.paused),
      probe: t(words.probe),
    },
    markers: {
      event: t(words.event),
      warning: t(words.warning),
      exit: t(words.exit),
      failure: t(words.failure),
      stop: t(words.stop),
      fault: t(words.intervention),
      probeSuccess: results.success,
      probeWarning: results.warning,
      probeFailure: results.failure,
      probeError: t(words.errorFact),
      probeMissed: results.missed,
    },
    kinds: { init: t(words.init), sidecar: t(words.sidecar), ephemeral: t(words.ephemeral) },
    lanes: {
      pod: t(words.podLane),
      worker: t(words.workerLane),
      sandbox: t(words.sandboxLane),
      events: t(words.eventsLane),
      pulls: t(words.pullsLane),
      debug: t(words.debugLane),
      probes: (container) => t(words.probesLane, { container }),
      syncs: (count) => t(words.syncs, { count }),
      warnings: (count) => t(words.warnings, { count }),
      pullCount: (count) => t(words.pulls, { count }),
      failedOf: (failed, all) => t(words.failedOf, { failed, all }),
      healthy: (count) => t(words.healthy, { count }),
      expand: t(words.expand),
      collapse: t(words.collapseNode),
      node: t(words.nodeLane),
    },
    nodeThreads: {
      pleg: 'PLEG',
      housekeeping: t(words.housekeeping),
      runtimeCheck: t(words.runtimeCheck),
      stats: t(words.stats),
      images: t(words.images),
      imageGC: t(words.imageGC),
      garbageCollection: t(words.garbageCollection),
      kubeletAPI: t(words.kubeletAPI),
      containerEvents: t(words.containerEvents),
    },
    activities: {
      pull: t(words.pull),
      create: t(words.create),
      start: t(words.startCall),
      postStart: 'postStart',
      preStop: 'preStop',
      stop: t(words.stopCall),
      remove: t(words.remove),
    },
    container: {
      running: t(words.running),
      ready: t(words.ready),
      stopped: t(words.stopped),
      terminating: t(words.terminating),
      waiting: t(words.waiting),
      nextSync: t(words.nextSync),
      backOffOver: t(words.backOffOver),
      imagePull: t(words.imagePull),
      exited: t(words.exited),
      exit: (code) => t(words.exitCode, { code: String(code) }),
      backOff: (length) => t(words.backOff, { length }),
    },
    pulls: {
      download: t(words.download),
      unpack: t(words.unpack),
      present: t(words.present),
      layers: (count) => t(words.layers, { count }),
      bytes: (done, all) => t(words.bytes, { done, all }),
    },
    probes: {
      types: { startup: 'startup', readiness: 'readiness', liveness: 'liveness' },
      results: { ...results, error: t(words.notMade), canceled: t(words.canceled) },
    },
    backOff: {
      curve: t(words.curve),
      cap: t(words.cap),
      reset: t(words.reset),
      rule: (length) => t(words.resetRule, { length }),
    },
    facts: {
      lane: t(words.lane),
      state: t(words.state),
      start: t(words.start),
      time: t(words.time),
      duration: t(words.duration),
      progress: t(words.progress),
      left: t(words.left),
      detail: t(words.detail),
      error: t(words.errorFact),
      source: t(words.source),
    },
    failed: t(words.failed),
    injected: t(words.injected),
    sourceOf: (fact) => sourceText(t, fact),
    goingOn: (length) => t(words.goingOn, { length }),
    soFar: (length) => t(words.soFar, { length }),
    left: (length) => t(words.timeLeft, { length }),
    step: (point, recorded) => pointTitle(t, point, recorded),
    stopReason,
    stopped: (reason) => t(words.stoppedBy, { reason: stopReason(reason) }),
    stopPlace: (phase, step) => t(words.stopPlace, { phase, step }),
    attempt: (number) => t(words.attempt, { number }),
    inView: t(words.inView),
    untilNow: t(words.untilNow),
    inAll: t(words.inAll),
    help: t(words.help),
    itemsInView: (label) => t(words.itemsInView, { label }),
  };
}

/** Returns the texts in the current language. The object changes with the language. */
export function useTimelineWords(): TimelineWords {
  const t = useT();
  const known = made.get(t) ?? wordsOf(t);
  made.set(t, known);
  return known;
}
