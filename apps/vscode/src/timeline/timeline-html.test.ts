import { describe, expect, it } from 'vitest';
import { frameAddress, frameHtml, messageHtml } from './timeline-html.ts';

describe('the document of the timeline', () => {
  it('frames the page without its bar, and permits no other frame and no script', () => {
    const html = frameHtml('http://127.0.0.1:4711/?token=a-token', 'Timeline of "web"');
    expect(html).toContain('src="http://127.0.0.1:4711/?token=a-token&amp;embed=&amp;stops="');
    expect(html).toContain('title="Timeline of &quot;web&quot;"');
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'; frame-src http://127.0.0.1:4711"`);
  });

  it('shows a message as text', () => {
    expect(messageHtml('<b>ended</b> & gone')).toContain('<p role="status">&lt;b&gt;ended&lt;/b&gt; &amp; gone</p>');
  });
});

describe('frameAddress', () => {
  const url = 'http://127.0.0.1:4711/?token=x';
  const below = 'http://127.0.0.1:8080/proxy/4711/?token=x';

  it.each([
    ['in the desktop program', { external: url, isBrowser: false, frameAncestors: [] }, { address: url }],
    [
      'through a forwarded port',
      { external: 'http://127.0.0.1:4712/?token=x', isBrowser: false, frameAncestors: [] },
      { address: 'http://127.0.0.1:4712/?token=x' },
    ],
    [
      'in a browser, with a name for each port',
      { external: 'https://4711.code.example/?token=x', isBrowser: true, frameAncestors: ['https://code.example'] },
      { address: 'https://4711.code.example/?token=x' },
    ],
    [
      'in a browser of this machine, with a path for each port',
      { external: below, isBrowser: true, frameAncestors: ['http://127.0.0.1:8080'] },
      { address: url },
    ],
    [
      'in a browser of another machine, with a path for each port',
      { external: below, isBrowser: true, frameAncestors: ['https://code.example'] },
      { problem: 'path' },
    ],
    [
      'in a browser without the setting',
      { external: below, isBrowser: true, frameAncestors: [] },
      { problem: 'ancestors' },
    ],
  ])('%s', (_, window, expected) => {
    expect(frameAddress(url, window)).toEqual(expected);
  });
});
