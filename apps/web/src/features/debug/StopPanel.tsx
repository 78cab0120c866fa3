/** Shows the stopped pod worker; the details load with the first stop. */
import type { StoppedThread } from '@podscope/protocol';
import { lazy, Suspense } from 'react';

const StopDetails = lazy(() => import('./stop/StopDetails.tsx'));

export function StopPanel({ stop }: { readonly stop: StoppedThread }) {
  return (
    <Suspense>
      <StopDetails stop={stop} />
    </Suspense>
  );
}
