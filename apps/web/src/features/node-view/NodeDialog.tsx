/** Shows the node: resources, images, ConfigMaps and Secrets. Default export: loaded when first opened. */
import type { Node } from '@podscope/k8s';
import type { NodeConfiguration, NodeInventory, NodeUsage } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { EmptyState } from '../../base/ui/layout/EmptyState.tsx';
import { PageDialog } from '../../base/ui/layout/PageDialog.tsx';
import { Section } from '../../base/ui/layout/Section.tsx';
import { StateMark } from '../../base/ui/marks/StateMark.tsx';
import { Facts } from '../../base/ui/text/Facts.tsx';
import { useSession } from '../../node/run/node-session.ts';
import { usePods } from '../../node/run/use-run.ts';
import { closeDialog } from '../../node/view/interface.ts';
import { nodeMessages as texts } from './messages.en.ts';
import styles from './NodeDialog.module.css';
import { bytesText, countActive, resourceRows } from './node-resources.ts';

/** How often the dialog reads the node and its usage again, in milliseconds. */
const refreshInterval = 5_000;

/** Renders a table whose first column names the row. */
function Table({
  label,
  head,
  rows,
}: {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly [string, ...ReactNode[]])[];
}) {
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr>
          {head.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, at) => (
              <td key={head[at + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const cpuText = (nanoCores: number): string => `${Math.round(nanoCores / 1e6)}m`;

function Resources({ node, usage }: { readonly node: Node; readonly usage: NodeUsage | undefined }) {
  const t = useT();
  const pods = usePods();
  const used: Readonly<Record<string, string>> = usage
    ? { cpu: cpuText(usage.cpuNanoCores), memory: bytesText(usage.workingSetBytes) }
    : {};
  const usedCell = (resource: string): readonly ReactNode[] => (usage ? [used[resource] ?? ''] : []);
  return (
    <Section title={t(texts.resources)}>
      <Table
        label={t(texts.resources)}
        head={[
          t(texts.resource),
          t(texts.allocatable),
          t(texts.requests),
          t(texts.limits),
          ...(usage ? [t(texts.used)] : []),
        ]}
        rows={[
          ...resourceRows(node, pods).map(
            ({ resource, allocatable, requests, limits }) =>
              [
                resource,
                allocatable,
                t(texts.ofAllocatable, { ...requests }),
                t(texts.ofAllocatable, { ...limits }),
                ...usedCell(resource),
              ] as const,
          ),
          [t(texts.pods), node.status?.allocatable?.['pods'] ?? '', countActive(pods), '', ...usedCell('pods')],
        ]}
      />
    </Section>
  );
}

/** Lists ConfigMaps or Secrets with their entries. */
function Configurations({
  title,
  none,
  items,
}: {
  readonly title: string;
  readonly none: string;
  readonly items: readonly (NodeConfiguration & { readonly type?: string })[];
}) {
  const t = useT();
  return (
    <Section title={title} count={items.length}>
      {items.length === 0 && <p className={styles.none}>{none}</p>}
      {items.map(({ namespace, name, type, entries }) => (
        <details key={`${namespace}/${name}`} className={styles.object}>
          <summary>
            {namespace}/{name} <span className={styles.quiet}>{type}</span>
          </summary>
          {entries.length === 0 ? (
            <p className={styles.none}>{t(texts.empty)}</p>
          ) : (
            <Table
              label={`${namespace}/${name}`}
              head={[t(texts.key), t(texts.size), t(texts.value)]}
              rows={entries.map(
                ({ key, bytes, text }) =>
                  [
                    key,
                    t(texts.bytes, { count: bytes }),
                    text === undefined ? (
                      <span key="value" className={styles.quiet}>
                        {t(type === undefined ? texts.binary : texts.masked)}
                      </span>
                    ) : (
                      <code key="value" className={styles.value}>
                        {text}
                      </code>
                    ),
                  ] as const,
              )}
            />
          )}
        </details>
      ))}
    </Section>
  );
}

function Overview({ inventory, usage }: { readonly inventory: NodeInventory; readonly usage: NodeUsage | undefined }) {
  const t = useT();
  const { configMaps, secrets } = inventory;
  // The object comes from the node's API server.
  const node = inventory.node as unknown as Node;
  const { nodeInfo = {}, addresses = [], conditions = [], images = [] } = node.status ?? {};
  return (
    <>
      <div className={styles.facts}>
        <Facts
          facts={[
            [t(texts.kubelet), nodeInfo['kubeletVersion']],
            [t(texts.runtime), nodeInfo['containerRuntimeVersion']],
            [t(texts.system), nodeInfo['osImage']],
            [t(texts.kernel), nodeInfo['kernelVersion']],
            [t(texts.architecture), nodeInfo['architecture']],
            [t(texts.addresses), addresses.map(({ address }) => address).join(', ')],
            [
              t(texts.conditions),
              <ul key="conditions" className={styles.conditions}>
                {conditions.map(({ type, status, message }) => (
                  <li key={String(type)} title={String(message)}>
                    <StateMark tone={(status === 'True') === (type === 'Ready') ? 'done' : 'error'} size={10} />{' '}
                    {String(type)}: {String(status)}
                  </li>
                ))}
              </ul>,
            ],
          ]}
        />
      </div>
      <Resources node={node} usage={usage} />
      {usage && usage.pods.length > 0 && (
        <Section title={t(texts.usage)} count={usage.pods.length}>
          <Table
            label={t(texts.usage)}
            head={[t(texts.pod), t(texts.cpu), t(texts.memory)]}
            rows={usage.pods.map(
              ({ namespace, name, cpuNanoCores, workingSetBytes }) =>
                [`${namespace}/${name}`, cpuText(cpuNanoCores), bytesText(workingSetBytes)] as const,
            )}
          />
        </Section>
      )}
      <Section title={t(texts.images)} count={images.length}>
        {images.length === 0 ? (
          <p className={styles.none}>{t(texts.noImages)}</p>
        ) : (
          <Table
            label={t(texts.images)}
            head={[t(texts.image), t(texts.size)]}
            rows={images.map(({ names, sizeBytes = 0 }) => [names.at(-1) ?? '', bytesText(sizeBytes)] as const)}
          />
        )}
      </Section>
      <Configurations title={t(texts.configMaps)} none={t(texts.noConfigMaps)} items={configMaps} />
      <Configurations title={t(texts.secrets)} none={t(texts.noSecrets)} items={secrets} />
    </>
  );
}

export default function NodeDialog() {
  const t = useT();
  const { connection } = useSession();
  const inventory = useQuery({
    queryKey: ['node', connection.node?.run],
    queryFn: ({ signal }) => connection.command<'getNode'>({ command: 'getNode' }, signal),
    refetchInterval: refreshInterval,
    retry: false,
  });
  const usage = useQuery({
    queryKey: ['nodeUsage', connection.node?.run],
    queryFn: ({ signal }) => connection.command<'nodeUsage'>({ command: 'nodeUsage' }, signal),
    // A simulated node has no usage. Reading it from a runtime takes a second.
    enabled: inventory.isSuccess && connection.node?.runtime.kind !== 'sim',
    refetchInterval: refreshInterval,
    retry: false,
  });
  return (
    <PageDialog title={t(texts.title)} icon="node" size="large" onClose={closeDialog}>
      {inventory.data ? (
        // Make it focusable, so that users can scroll it with the keyboard.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div className={styles.body} tabIndex={0} role="group" aria-label={t(texts.title)}>
          <Overview inventory={inventory.data} usage={usage.data} />
        </div>
      ) : inventory.error ? (
        <EmptyState icon="warning" title={t(texts.unavailable)}>
          <p>{inventory.error.message}</p>
          <Button onPress={() => void inventory.refetch()}>{t(texts.retry)}</Button>
        </EmptyState>
      ) : (
        <EmptyState busy title={t(texts.reading)} />
      )}
    </PageDialog>
  );
}
