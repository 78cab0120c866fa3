/** What the browser keeps for this page; where it may keep nothing, as in a frame of another site, the page itself does while it is open. */
import type { StateStorage } from 'zustand/middleware';

type PageStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function createMemoryStorage(): PageStorage {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

function openStorage(): PageStorage {
  try {
    // To look at it is enough to be refused.
    return localStorage;
  } catch {
    return createMemoryStorage();
  }
}

export const pageStorage: PageStorage & StateStorage = openStorage();
