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

/** The agreement rate as words, as a figure for narrow windows, and as an explanation. */
interface ShownAgreement {
  readonly text: string;
  readonly figure: string;
  readonly title: string;
}

/** Returns how many of the decided syncs agree, and how many can't be decided; undefined without any sync. */
function useAgreement(agreement: Agreement): ShownAgreement | undefined {
  const t = useT();
  const { agrees, differs, unknown } = agreement;
  const decided = agrees + differs;
  if (decided + unknown === 0) return undefined;
  const values = { ...agreement, decided };
  const text = decided === 0 ? texts.onlyUnknown : unknown === 0 ? texts.agreement : texts.agreementAndUnknown;
  const figure = decided === 0 ? '—' : `${agrees}/${decided}`;
  const share = agreementText(agreement) ?? '—';
  return { text: t(text, values), figure, title: t(texts.counts, { ...values, share }) };
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
  const runtimeName = `${runtime.name} ${shortVersion(runtime.version)}`;
  return (
    <>
      <span className={styles.observed} title={[`${kubelet} · ${runtimeName}`, ...about].join('\n')}>
        {kubelet}
        <span className={styles.ofObserved}> · {runtimeName}</span>
      </span>
      {shown && (
        <span className={cx(styles.observed, styles.share)} title={`${shown.text}\n${shown.title}`}>
          <span className={styles.words}>{shown.text}</span>
          <span className={styles.figure} aria-hidden="true">
            {shown.figure}
          </span>
        </span>
      )}
    </>
  );
}
