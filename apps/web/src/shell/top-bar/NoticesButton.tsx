/** Shows the number of notices. The popover loads when the button is first pressed. */
import type { Notice } from '@podscope/protocol';
import { useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { shellMessages } from '../messages.en.ts';

const NodeNotices = lazyPart(() => import('./NodeNotices.tsx'));

export function NoticesButton({ notices }: { readonly notices: readonly Notice[] }) {
  const [wasPressed, setPressed] = useState(false);
  const t = useT();
  const title = t(shellMessages.noticeCount, { count: notices.length });
  const button = (
    <Button kind="quiet" icon="info" onPress={() => setPressed(true)}>
      {title}
    </Button>
  );
  return wasPressed ? <NodeNotices notices={notices} title={title} fallback={button} /> : button;
}
