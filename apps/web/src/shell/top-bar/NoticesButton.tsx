/** Shows the number of notices. The popover loads with the first press. */
import type { Notice } from '@podscope/protocol';
import { lazy, Suspense, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { shellMessages } from '../messages.en.ts';

const NodeNotices = lazy(() => import('./NodeNotices.tsx'));

export function NoticesButton({ notices }: { readonly notices: readonly Notice[] }) {
  const [wasPressed, setPressed] = useState(false);
  const t = useT();
  const title = t(shellMessages.noticeCount, { count: notices.length });
  const button = (
    <Button kind="quiet" icon="info" onPress={() => setPressed(true)}>
      {title}
    </Button>
  );
  return wasPressed ? (
    <Suspense fallback={button}>
      <NodeNotices notices={notices} title={title} />
    </Suspense>
  ) : (
    button
  );
}
