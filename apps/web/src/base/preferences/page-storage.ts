/** Wraps the browser's local storage. Uses memory if storage is denied, for example in a frame of another site. */
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
    // If storage is denied, even reading the property throws.
    return localStorage;
  } catch {
    return createMemoryStorage();
  }
}

export const pageStorage: PageStorage & StateStorage = openStorage();
