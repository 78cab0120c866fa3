import { describe, expect, it } from 'vitest';
import { initialView, readView, type View, writeView } from './view-address.ts';

describe('the address of a view', () => {
  it('is empty for the initial view', () => {
    expect(writeView(initialView)).toBe('');
    expect(readView('')).toEqual(initialView);
  });

  it('is readable and restores the same view', () => {
    const view: View = {
      ...initialView,
      pod: 'default/web-0',
      uid: 'a47a2647-ffec-476d-9ae6-36e8f665cccb',
      tab: 'logs',
      sync: 7,
      selected: 'span:42',
      follow: false,
      range: { start: 1_700_000_000_000, end: 1_700_000_060_000 },
    };
    const address = writeView(view);
    expect(address).toBe(
      '?pod=default/web-0&uid=a47a2647-ffec-476d-9ae6-36e8f665cccb' +
        '&tab=logs&sync=7&selected=span:42&range=1700000000000-1700000060000',
    );
    expect(readView(address)).toEqual(view);
  });

  it("records that the timeline doesn't follow", () => {
    expect(readView(writeView({ ...initialView, follow: false })).follow).toBe(false);
  });

  it('names a saved run and presentation mode', () => {
    const view: View = { ...initialView, run: 'a47a2647-ffec', present: true };
    expect(writeView(view)).toBe('?run=a47a2647-ffec&present=yes');
    expect(readView(writeView(view))).toEqual(view);
    expect(readView('?present').present).toBe(true);
  });

  it('ignores invalid values', () => {
    expect(readView('?tab=nonsense&sync=-3&range=9-1&run=../etc&token=secret')).toEqual(initialView);
  });

  it('escapes special characters in names', () => {
    const view = { ...initialView, selected: 'backoff:a&b=c:container:1' };
    expect(readView(writeView(view))).toEqual(view);
  });
});
