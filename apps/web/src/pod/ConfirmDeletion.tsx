/** Asks how long a pod may take to go, and deletes it. */
import type { PodTrack } from '@podscope/trace';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button as AriaButton, FieldError, Group, Heading, Input, Label, NumberField } from 'react-aria-components';
import { specGracePeriod } from '../inspector/read-pod.ts';
import { useSession } from '../run/node-session.ts';
import { askToDelete, notify } from '../state/interface.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ConfirmDeletion.module.css';

export function ConfirmDeletion({ pod, isTerminating }: { readonly pod: PodTrack; readonly isTerminating: boolean }) {
  const { connection } = useSession();
  const [gracePeriod, setGracePeriod] = useState(isTerminating ? 0 : specGracePeriod(pod));
  const remove = useMutation({
    mutationFn: () => connection.command<'deletePod'>({ command: 'deletePod', namespace: pod.namespace, name: pod.name, gracePeriodSeconds: gracePeriod }),
    onSuccess: () => {
      askToDelete(undefined);
      notify('info', `pod/${pod.name} is being deleted.`);
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
        Delete {pod.name}?
      </Heading>
      <p className={styles.text}>Its preStop hooks run, then its containers get SIGTERM, and SIGKILL when the grace period is over. Its history stays here.</p>
      <NumberField
        className={styles.field}
        value={gracePeriod}
        onChange={(value) => setGracePeriod(Number.isNaN(value) ? 0 : value)}
        minValue={0}
        maxValue={86_400}
        step={1}
      >
        <Label className={styles.label}>Grace period in seconds</Label>
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
        <Button onPress={() => askToDelete(undefined)}>Keep</Button>
        <Button kind="danger" type="submit" isDisabled={remove.isPending}>
          Delete pod
        </Button>
      </div>
    </form>
  );
}
