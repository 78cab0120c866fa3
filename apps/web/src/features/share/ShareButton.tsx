/** Renders the button that opens the share menu. The menu is loaded when the button is first pressed. */
import { useState } from 'react';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { ShareTrigger } from './ShareTrigger.tsx';

const ShareMenu = lazyPart(() => import('./ShareMenu.tsx'));

export function ShareButton() {
  const [wasPressed, setPressed] = useState(false);
  const button = <ShareTrigger onPress={() => setPressed(true)} />;
  return wasPressed ? <ShareMenu fallback={button} /> : button;
}
