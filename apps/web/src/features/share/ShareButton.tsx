/** Opens the share menu, which loads with the first press. */
import { useState } from 'react';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { ShareTrigger } from './ShareTrigger.tsx';

const ShareMenu = lazyPart(() => import('./ShareMenu.tsx'));

export function ShareButton() {
  const [wasPressed, setPressed] = useState(false);
  const button = <ShareTrigger onPress={() => setPressed(true)} />;
  return wasPressed ? <ShareMenu fallback={button} /> : button;
}
