/** Performs the requests of a page that embeds this one. */
import { openLocalRun, useOpenNode } from '../../node/run/open-node.ts';
import { beginOf, live, nowOf, pass } from '../../node/run/virtual-time.ts';
import { openGivenLesson, openLibraryLesson, stepOf, useLesson } from '../lessons/index.ts';
import type { PlayerRequest, PlayerState } from './player-messages.ts';

const session = () => useOpenNode.getState().session;

/** Returns the state of the shown run. */
function playerState(): PlayerState {
  const node = session();
  const lesson = useLesson.getState();
  return {
    seconds: node.run.history.lastSeq === 0 ? 0 : Math.max(0, nowOf(node) - beginOf(node)) / 1_000,
    paused: node.run.runTime?.paused ?? false,
    scenario: useOpenNode.getState().options?.scenario,
    lesson: lesson.lesson?.id,
    step: stepOf(lesson)?.id,
  };
}

async function seek(seconds: number): Promise<void> {
  await live(session());
  const { options } = useOpenNode.getState();
  if (!options) throw new Error('only a run of this page has a time');
  if (seconds < playerState().seconds) {
    const { time: _time, ...rest } = options;
    openLocalRun({ ...rest, paused: true });
    await live(session());
  }
  await pass(session(), seconds * 1_000 - playerState().seconds * 1_000);
}

/**
 * Performs a request.
 * @returns the state of the player after the request
 * @throws Error if the request can't be performed
 */
export async function performRequest(request: PlayerRequest): Promise<PlayerState> {
  switch (request.do) {
    case 'load': {
      const { scenario, seed, profile, at = 0 } = request;
      openLocalRun({
        scenario,
        paused: true,
        ...(seed === undefined ? {} : { seed }),
        ...(profile === undefined ? {} : { profile }),
      });
      await seek(at);
      break;
    }
    case 'loadLesson': {
      const { lesson, text, translation, step } = request;
      if (text !== undefined) await openGivenLesson({ text, translation, step });
      else if (lesson !== undefined) await openLibraryLesson(lesson, step);
      else throw new Error('loadLesson needs "lesson" or "text"');
      break;
    }
    case 'play': {
      const { speed } = request;
      await live(session());
      await session().connection.command<'setTime'>({
        command: 'setTime',
        paused: false,
        ...(speed === undefined ? {} : { speed }),
      });
      break;
    }
    case 'pause':
      await live(session());
      await session().connection.command<'setTime'>({ command: 'setTime', paused: true });
      break;
    case 'seek':
      await seek(request.seconds);
      break;
    case 'state':
      await live(session());
      break;
    default:
      request satisfies never;
  }
  return playerState();
}
