/**
 * Creates the default service account of every namespace. Upstream: serviceaccount.ServiceAccountsController (v1.36).
 */
import type { ServiceAccount } from '@podscope/k8s';
import { type Clock, formatTime } from '@podscope/trace';
import { newUid, type Random } from '../random.ts';
import type { Storage } from '../storage/storage.ts';

const defaultName = 'default';

export interface ServiceAccountsOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Starts the controller. It creates a default account that is missing or was deleted, unless the namespace is
 * terminating.
 */
export function keepDefaultServiceAccounts({ storage, clock, random }: ServiceAccountsOptions): void {
  const ensure = (namespace: string): void => {
    const found = storage.get('Namespace', undefined, namespace);
    if (
      !found ||
      found.metadata.deletionTimestamp !== undefined ||
      storage.get('ServiceAccount', namespace, defaultName)
    )
      return;
    const account: ServiceAccount = {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: defaultName, namespace, uid: newUid(random), creationTimestamp: formatTime(clock.now()) },
    };
    storage.create('ServiceAccount', account);
  };
  storage.watch('Namespace', storage.resourceVersion, ({ type, object }) => {
    if (type === 'ADDED') ensure(object.metadata.name);
  });
  // Create the account in the next turn, so that all watchers see the deletion before the new account.
  storage.watch('ServiceAccount', storage.resourceVersion, ({ type, object: { metadata } }) => {
    if (type === 'DELETED' && metadata.name === defaultName) clock.schedule(0, () => ensure(metadata.namespace ?? ''));
  });
  for (const { metadata } of storage.list('Namespace')) ensure(metadata.name);
}
