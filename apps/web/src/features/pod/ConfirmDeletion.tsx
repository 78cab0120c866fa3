/** Asks for the grace period and deletes the pod. */
import type { PodTrack } from '@podscope/trace';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button as AriaButton, FieldError, Group, Heading, Input, Label, NumberField } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { notify } from '../../base/notices/notices.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { specGracePeriod } from '../../node/pods/grace-period.ts';
import { useSession } from '../../node/run/node-session.ts';
import { askToDelete } from '../../node/view/interface.ts';
import styles from './ConfirmDeletion.module.css';
import { podHeaderMessages as texts } from './messages.en.ts';

export function ConfirmDeletion({ pod, isTerminating }: { readonly pod: PodTrack; readonly isTerminating: boolean }) {
  const { connection } = useSession();
  const t = useT();
  const [gracePeriod, setGracePeriod] = useState(isTerminating ? 0 : specGracePeriod(pod));
  const remove = useMutation({
    mutationFn: () =>
      connection.command<'deletePod'>({
        command: 'deletePod',
        namespace: pod.namespace,
        name: pod.name,
        gracePeriodSeconds: gracePeriod,
      }),
    onSuccess: () => {
      askToDelete(undefined);
      notify('info', t(texts.beingDeleted, { name: pod.name }));
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        remove.mutate();
      }}
    >
      <Heading level={2} className={styles.title}>
        {t(texts.deleteQuestion, { name: pod.name })}
      </Heading>
      <p className={styles.text}>{t(texts.deleteText)}</p>
      <NumberField
        className={styles.field}
        value={gracePeriod}
        onChange={(value) => setGracePeriod(Number.isNaN(value) ? 0 : value)}
        minValue={0}
        maxValue={86_400}
        step={1}
      >
        <Label className={styles.label}>{t(texts.gracePeriod)}</Label>
        <Group className={styles.group}>
          <Input className={styles.input} />
          <AriaButton slot="decrement" className={styles.step}>
            −
          </AriaButton>
          <AriaButton slot="increment" className={styles.step}>
            +
          </AriaButton>
        </Group>
        <FieldError />
      </NumberField>
      {remove.error && (
        <p className={styles.error} role="alert">
          {remove.error.message}
        </p>
      )}
      <div className={styles.actions}>
        <Button onPress={() => askToDelete(undefined)}>{t(texts.keep)}</Button>
        <Button kind="danger" type="submit" isDisabled={remove.isPending}>
          {t(texts.deletePod)}
        </Button>
      </div>
    </form>
  );
}
