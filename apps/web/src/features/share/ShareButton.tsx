/** Opens the share menu, which loads with the first press. */
import { lazy, Suspense, useState } from 'react';
import { ShareTrigger } from './ShareTrigger.tsx';

const ShareMenu = lazy(() => import('./ShareMenu.tsx'));

export function ShareButton() {
  const [wasPressed, setPressed] = useState(false);
  const button = <ShareTrigger onPress={() => setPressed(true)} />;
  return wasPressed ? (
    <Suspense fallback={button}>
      <ShareMenu />
    </Suspense>
  ) : (
    button
  );
}
