import { readFile } from 'node:fs/promises';
import { runInThisContext } from 'node:vm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { offerPlayer } from './index.ts';

/** Runs a script of the site in this page, as a <script> element of the site does. */
async function runScript(name: string): Promise<void> {
  const script = document.createElement('script');
  script.src = `https://site.example/${name}`;
  const current = vi.spyOn(document, 'currentScript', 'get').mockReturnValue(script);
  runInThisContext(await readFile(`apps/web/public/${name}`, 'utf8'));
  current.mockRestore();
}

afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

describe('the page in a frame', () => {
  it.each([
    ['a second before the start', { do: 'seek', seconds: -1 }, /^request\.seconds: /],
    ['the speed 0', { do: 'play', speed: 0 }, /^request\.speed: /],
    ['no scenario', { do: 'load' }, /^request\.scenario: /],
    ['an unknown release', { do: 'load', scenario: 'crash-loop', profile: 'v1.30' }, /^request\.profile: /],
    ['an unknown request', { do: 'rewind' }, /^request\.do: /],
  ])('answers with an error to a request with %s', (_what, request, error) => {
    const host = { postMessage: vi.fn<Window['postMessage']>() };
    vi.stubGlobal('parent', host);
    const stop = offerPlayer('https://blog.example');
    const data = { podscope: 1, id: 7, request };
    const source = host as unknown as Window;
    const message = new MessageEvent('message', { data, origin: 'https://blog.example' });
    Object.defineProperty(message, 'source', { value: source });
    dispatchEvent(message);
    stop();
    expect(host.postMessage).toHaveBeenLastCalledWith(
      { podscope: 1, reply: 7, error: expect.stringMatching(error) },
      'https://blog.example',
    );
  });
});

interface Player extends HTMLElement {
  state(): Promise<object>;
}

describe('podscope-player', () => {
  beforeAll(() => runScript('podscope-player.js'));

  function newPlayer(): {
    readonly player: Player;
    readonly posted: () => unknown[];
    readonly say: (data: object) => void;
  } {
    const player = document.createElement('podscope-player') as Player;
    const frame = player.shadowRoot?.querySelector('iframe') as HTMLIFrameElement;
    const page = { postMessage: vi.fn<Window['postMessage']>() };
    Object.defineProperty(frame, 'contentWindow', { value: page });
    return {
      player,
      posted: () => page.postMessage.mock.calls.map(([message]: unknown[]) => message),
      say: (data) => {
        const message = new MessageEvent('message', { data: { podscope: 1, ...data }, origin: 'https://site.example' });
        Object.defineProperty(message, 'source', { value: page });
        dispatchEvent(message);
      },
    };
  }

  it('performs a request that was made before the player was in the page', async () => {
    const { player, posted, say } = newPlayer();
    const state = player.state();
    document.body.append(player);
    say({ event: 'ready' });
    await expect.poll(posted).toEqual([{ podscope: 1, id: 1, request: { do: 'state' } }]);
    say({ reply: 1, state: { seconds: 3 } });
    expect(await state).toEqual({ seconds: 3 });
  });

  it('rejects a request that waits for the page when an attribute opens another scenario', async () => {
    const { player, posted, say } = newPlayer();
    document.body.append(player);
    const state = player.state();
    player.setAttribute('scenario', 'crash-loop');
    await expect(state).rejects.toThrow('another scenario was opened');
    const next = player.state();
    say({ event: 'ready' });
    await expect.poll(posted).toEqual([{ podscope: 1, id: 2, request: { do: 'state' } }]);
    say({ reply: 2, error: 'no time' });
    await expect(next).rejects.toThrow('no time');
  });

  it('rejects a request without an answer when the player is removed', async () => {
    const { player } = newPlayer();
    document.body.append(player);
    const state = player.state();
    player.remove();
    await expect(state).rejects.toThrow('the player was removed from the page');
  });
});

describe('the launch page of a lesson package', () => {
  it('opens the lesson in a page of another origin, without an API', async () => {
    const platform = {
      get API(): unknown {
        throw new DOMException('Blocked a frame from accessing a cross-origin frame.', 'SecurityError');
      },
      get parent(): unknown {
        return platform;
      },
      opener: null,
    };
    vi.stubGlobal('parent', platform);
    const lesson = { text: 'Text', title: 'Title', steps: [{ id: 'one', isQuestion: true }] };
    vi.stubGlobal('fetch', async () => ({ json: async () => lesson }));
    const load = vi.fn<() => Promise<object>>(async () => ({}));
    const player = Object.assign(document.createElement('div'), { load });
    vi.spyOn(document, 'querySelector').mockReturnValueOnce(player);
    await runScript('scorm.js');
    await expect.poll(() => load.mock.calls).toEqual([[{ text: 'Text', translation: undefined }]]);
  });
});
