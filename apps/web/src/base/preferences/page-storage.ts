/** Wraps the browser's local storage; falls back to memory where storage is denied, as in a frame of another site. */
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
    // Reading the property already throws where storage is denied.
    return localStorage;
  } catch {
    return createMemoryStorage();
  }
}

export const pageStorage: PageStorage & StateStorage = openStorage();
