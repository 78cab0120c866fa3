/** Says how many notices there are; the popover with them is loaded with the first press. */
import type { Notice } from '@podscope/protocol';
import { lazy, Suspense, useState } from 'react';
import { useT } from '../i18n/i18n.ts';
import { Button } from '../ui/Button.tsx';
import { shellMessages } from './messages.en.ts';

const NodeNotices = lazy(() => import('./NodeNotices.tsx'));

export interface NoticesProps {
  readonly notices: readonly Notice[];
}

export function NoticesButton({ notices }: NoticesProps) {
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
