import { describe, expect, it } from 'vitest';
import { initialView, readView, type View, writeView } from './view-address.ts';

describe('the address of a view', () => {
  it('says nothing of the initial view', () => {
    expect(writeView(initialView)).toBe('');
    expect(readView('')).toEqual(initialView);
  });

  it('can be read by people, and back', () => {
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
    expect(address).toBe('?pod=default/web-0&uid=a47a2647-ffec-476d-9ae6-36e8f665cccb&tab=logs&sync=7&selected=span:42&range=1700000000000-1700000060000');
    expect(readView(address)).toEqual(view);
  });

  it('remembers that following was let go', () => {
    expect(readView(writeView({ ...initialView, follow: false })).follow).toBe(false);
  });

  it('names a kept run, and says that it is for a wall', () => {
    const view: View = { ...initialView, run: 'a47a2647-ffec', present: true };
    expect(writeView(view)).toBe('?run=a47a2647-ffec&present=yes');
    expect(readView(writeView(view))).toEqual(view);
    expect(readView('?present').present).toBe(true);
  });

  it('leaves out what it does not understand', () => {
    expect(readView('?tab=nonsense&sync=-3&range=9-1&run=../etc&token=secret')).toEqual(initialView);
  });

  it('keeps names that need quoting', () => {
    const view = { ...initialView, selected: 'backoff:a&b=c:container:1' };
    expect(readView(writeView(view))).toEqual(view);
  });
});
