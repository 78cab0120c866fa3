/** Delays a text that the user edits, so that the page sends no command after each key. */
import { useEffect, useState } from 'react';

/** Time after the last key until a text counts as settled, in milliseconds. */
const pause = 200;

/** Returns the text as it was when the user last paused. */
export function useSettled(text: string | undefined): string | undefined {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pause);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
