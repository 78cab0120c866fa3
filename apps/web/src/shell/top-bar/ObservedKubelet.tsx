/**
 * Shows which genuine kubelet is observed, and how often the shadow engine agrees with it. Default export: loaded when
 * such a node is shown.
 */
import type { NodeInfo } from '@podscope/protocol';
import { useMemo } from 'react';
import { useT } from '../../base/i18n/i18n.ts';
import { cx } from '../../base/ui/marks/cx.ts';
import { useSession } from '../../node/run/node-session.ts';
import { usePods } from '../../node/run/use-run.ts';
import { type Agreement, agreementOf, agreementText } from '../../node/syncs/shadow-verdict.ts';
import { observedMessages as texts } from '../messages.en.ts';
import styles from './TopBar.module.css';

type Observed = NonNullable<NodeInfo['observed']>;

/** Returns the major and minor version: `20.10` for `20.10.24+dfsg1`. */
const shortVersion = (version: string): string => /^v?\d+\.\d+/.exec(version)?.[0] ?? version;

/** Returns how many of the decided syncs agree, and how many can't be decided; undefined without any sync. */
function useAgreement(agreement: Agreement): { readonly text: string; readonly title: string } | undefined {
  const t = useT();
  const { agrees, differs, unknown } = agreement;
  const decided = agrees + differs;
  if (decided + unknown === 0) return undefined;
  const values = { ...agreement, decided };
  const text = decided === 0 ? texts.onlyUnknown : unknown === 0 ? texts.agreement : texts.agreementAndUnknown;
  return { text: t(text, values), title: t(texts.counts, { ...values, share: agreementText(agreement) ?? '—' }) };
}

interface ObservedKubeletProps {
  readonly observed: Observed;
  readonly runtime: NodeInfo['runtime'];
  readonly about: readonly string[];
}

export default function ObservedKubelet({ observed, runtime, about }: ObservedKubeletProps) {
  const t = useT();
  const { run } = useSession();
  const pods = usePods();
  const agreement = useMemo(() => agreementOf(pods, (id) => run.span(id)), [pods, run]);
  const shown = useAgreement(agreement);
  const { version } = observed;
  const kubelet = version === undefined ? t(texts.genuineUnknown) : t(texts.genuine, { version });
  return (
    <>
      <span className={styles.observed} title={about.join('\n')}>
        {kubelet} · {runtime.name} {shortVersion(runtime.version)}
      </span>
      {shown && (
        <span className={cx(styles.observed, styles.share)} title={shown.title}>
          {shown.text}
        </span>
      )}
    </>
  );
}
