/** Opens the presenter view in a separate window, for a second screen. */
import { useEffect } from 'react';
import { useT } from '../../../base/i18n/i18n.ts';
import { notify } from '../../../base/notices/notices.ts';
import { Button } from '../../../base/ui/fields/Button.tsx';
import { classMessages as texts } from '../shared/messages.en.ts';
import { openPresenter, resumePresenter } from './presenter-link.ts';

export function PresenterButton() {
  const t = useT();
  useEffect(resumePresenter, []);
  return (
    <Button
      icon="present"
      onPress={() => {
        if (!openPresenter()) notify('error', t(texts.popupBlocked));
      }}
    >
      {t(texts.presenter)}
    </Button>
  );
}
