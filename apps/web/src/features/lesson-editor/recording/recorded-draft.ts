/** Turns a recording into a scenario and the steps of a lesson. */
import { type DraftStep, noTexts } from '@podscope/lessons';
import type { Command } from '@podscope/protocol';
import type { OwnScenario, Scenario } from '@podscope/scenarios';
import { tabs } from '../../../node/address/view-address.ts';
import type { Moment, RecordedCommand } from './recording-store.ts';

type Act = NonNullable<OwnScenario['acts']>[number];

/** A stop of the run at a breakpoint, in seconds since its start. */
interface RecordedStop {
  readonly at: number;
  readonly point: string;
  readonly phase: 'before' | 'after';
}

export interface FinishedRecording {
  /** Id of the new scenario. */
  readonly id: string;
  readonly base: Scenario | undefined;
  readonly commands: readonly RecordedCommand[];
  readonly moments: readonly Moment[];
  readonly stops: readonly RecordedStop[];
  /** Seconds from the start of the run to the end of the recording. */
  readonly end: number;
}

export interface RecordedDraft {
  /** The recorded scenario. Undefined if the user only watched a scenario of the library and changed nothing. */
  readonly scenario: OwnScenario | undefined;
  readonly steps: readonly DraftStep[];
  /** Names of commands that changed the run and that a scenario can't repeat. */
  readonly omitted: readonly string[];
}

/** Namespace in which scenarios create their pods. */
const namespace = 'default';

/** Commands that control time, stop, continue or read, and so don't change what happens in a scenario. */
const withoutEffect: ReadonlySet<Command['command']> = new Set([
  'setTime',
  'stepTime',
  'setBreakpoints',
  'setExceptionBreakpoints',
  'checkBreakpoint',
  'pause',
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'runTo',
  'setDebugOptions',
  'deleteFaultPlan',
  'renameRun',
  'tagRun',
  'annotateRun',
]);

const rounded = (seconds: number): number => Math.round(seconds * 1_000) / 1_000;

/** Returns the action of a scenario that repeats a command; undefined if no action does. */
function actOf(at: number, command: Command): Act | undefined {
  switch (command.command) {
    case 'apply':
      return { at, do: 'apply', manifest: command.manifest };
    case 'deletePod': {
      if (command.namespace !== namespace) return undefined;
      const { gracePeriodSeconds } = command;
      return {
        at,
        do: 'deletePod',
        pod: command.name,
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
      };
    }
    case 'killContainer': {
      const { name: pod, container, exitCode } = command;
      if (command.namespace !== namespace || command.signal === 'TERM') return undefined;
      if (exitCode === undefined) return { at, do: 'killContainer', pod, container };
      return { at, do: 'exitContainer', pod, container, code: exitCode };
    }
    case 'setFaultPlan':
    case 'enableFaultPlan':
    case 'skipBackOff':
    case 'setBackOff':
      return { at, do: 'command', command };
    default:
      return undefined;
  }
}

/** Returns the part of the page that a step highlights: the call that was selected at the moment, or the open tab. */
function lookOf({ tab, point }: Moment): unknown {
  if (point !== undefined) return { at: 'inspector', point };
  return tabs.some((each) => each === tab) ? tab : 'timeline';
}

function stepsOf(
  { moments, stops, end }: Pick<FinishedRecording, 'moments' | 'stops' | 'end'>,
  scenario: string,
  shift: number,
): readonly DraftStep[] {
  return moments.map((moment, index) => {
    const next = moments[index + 1]?.at ?? end;
    const at = Math.max(0, rounded(moment.at - shift));
    const until = Math.max(0, rounded(next - shift));
    const stop = stops.find((each) => each.at >= moment.at && each.at < next);
    return {
      id: `step-${index + 1}`,
      scene: {
        words: {
          scenario,
          at,
          ...(until > at ? { until } : {}),
          ...(stop && until > at ? { breakpoint: { point: stop.point, phase: stop.phase } } : {}),
          look: lookOf(moment),
        },
        claims: [],
      },
      texts: { en: noTexts, 'zh-CN': noTexts },
    };
  });
}

/**
 * Returns the scenario and the steps of a recording. The time before the first manifest of an empty node is omitted.
 */
export function draftOfRecording(recording: FinishedRecording): RecordedDraft {
  const { id, base, commands, end } = recording;
  const changing = commands.filter(({ command }) => !withoutEffect.has(command.command));
  const acts = changing.flatMap(({ at, command }) => actOf(rounded(at), command) ?? []);
  const omitted = changing.filter(({ at, command }) => !actOf(at, command)).map(({ command }) => command.command);
  const first = acts.find((act) => act.do === 'apply');
  if (base ? acts.length === 0 : !first) {
    return { scenario: undefined, steps: base ? stepsOf(recording, base.id, 0) : [], omitted };
  }
  const shift = base || !first ? 0 : first.at;
  const moved = acts
    .filter((act) => act !== first || base !== undefined)
    .map((act) => ({ ...act, at: Math.max(0, rounded(act.at - shift)) }));
  const manifest = base?.manifest ?? (first && 'manifest' in first ? first.manifest : '');
  const allActs = [...((base?.acts ?? []) as readonly Act[]), ...moved].toSorted((a, b) => a.at - b.at);
  return {
    scenario: {
      id,
      manifest: `${manifest.trimEnd()}\n`,
      ...(base?.scripts ? { scripts: { ...base.scripts } } : {}),
      ...(base?.simulator ? { simulator: base.simulator } : {}),
      ...(allActs.length > 0 ? { acts: allActs } : {}),
      duration: Math.max(base?.duration ?? 0, Math.ceil(end - shift) + 60),
    },
    steps: stepsOf(recording, id, shift),
    omitted,
  };
}
