/** Opens the share menu, which is loaded with the first press. */
import { lazy, Suspense, useState } from 'react';
import { Button } from '../ui/Button.tsx';

const ShareMenu = lazy(() => import('./ShareMenu.tsx'));

export function ShareButton() {
  const [wasPressed, setPressed] = useState(false);
  const button = (
    <Button kind="quiet" icon="share" onPress={() => setPressed(true)}>
      Share
    </Button>
  );
  return wasPressed ? (
    <Suspense fallback={button}>
      <ShareMenu />
    </Suspense>
  ) : (
    button
  );
}
