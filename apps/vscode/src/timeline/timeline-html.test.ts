import { describe, expect, it } from 'vitest';
import { frameHtml, frameProblem, messageHtml } from './timeline-html.ts';

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

describe('frameProblem', () => {
  it.each([
    ['http://127.0.0.1:4711/?token=x', false, [], undefined],
    ['https://4711.code.example/?token=x', true, ['https://code.example'], undefined],
    ['http://127.0.0.1:4711/?token=x', true, [], 'ancestors'],
    ['https://code.example/proxy/4711/?token=x', true, ['https://code.example'], 'path'],
  ])('%s, in a browser: %s, allowed %j: %s', (external, isBrowser, ancestors, problem) => {
    expect(frameProblem(external, isBrowser, ancestors)).toBe(problem);
  });
});
