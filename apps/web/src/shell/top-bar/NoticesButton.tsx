/** Shows the number of notices. The popover loads when the button is first pressed. */
import type { Notice } from '@podscope/protocol';
import { useRef, useState } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { lazyPart } from '../../base/ui/lazy-part.tsx';
import { shellMessages } from '../messages.en.ts';

const NodeNotices = lazyPart(() => import('./NodeNotices.tsx'));

export function NoticesButton({ notices }: { readonly notices: readonly Notice[] }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const t = useT();
  return (
    <>
      <Button ref={button} kind="quiet" icon="info" aria-expanded={isOpen} onPress={() => setOpen(true)}>
        {t(shellMessages.noticeCount, { count: notices.length })}
      </Button>
      {isOpen && <NodeNotices notices={notices} button={button} onClose={() => setOpen(false)} />}
    </>
  );
}
