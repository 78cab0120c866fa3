/** Stores short messages about what the page just did or could not do. */
import { create } from 'zustand';

export interface Notice {
  readonly id: number;
  readonly tone: 'success' | 'error' | 'info';
  readonly text: string;
}

/** How long a notice stays, in milliseconds. */
const noticeTime = 6_000;
const mostNotices = 4;
let lastNotice = 0;

export const useNotices = create<readonly Notice[]>()(() => []);

/** Removes the notice with this id; an unknown id is ignored. */
export const dismiss = (id: number): void =>
  useNotices.setState((notices) => notices.filter((notice) => notice.id !== id), true);

/**
 * Shows a notice for {@link noticeTime}. An error stays until the user dismisses it. Above four notices, the oldest
 * disappears.
 */
export function notify(tone: Notice['tone'], text: string): void {
  const id = ++lastNotice;
  useNotices.setState((notices) => [...notices, { id, tone, text }].slice(-mostNotices), true);
  if (tone !== 'error') setTimeout(() => dismiss(id), noticeTime);
}
