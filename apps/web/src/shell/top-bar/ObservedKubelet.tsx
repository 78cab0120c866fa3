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
  /** How many of the decided syncs agree; undefined if none is decided. */
  readonly agreed: string | undefined;
  /** How many syncs can't be decided; undefined if none. */
  readonly unknown: string | undefined;
  readonly figure: string | undefined;
  readonly title: string;
}

/** Returns the words, the figure and the explanation; undefined without any sync. */
function useAgreement(agreement: Agreement): ShownAgreement | undefined {
  const t = useT();
  const { agrees, differs, unknown } = agreement;
  const decided = agrees + differs;
  if (decided + unknown === 0) return undefined;
  const values = { ...agreement, decided };
  const share = agreementText(agreement) ?? '—';
  return {
    agreed: decided === 0 ? undefined : t(texts.agreement, values),
    unknown: unknown === 0 ? undefined : t(texts.unknown, values),
    figure: decided === 0 ? undefined : `${agrees}/${decided}`,
    title: t(texts.counts, { ...values, share }),
  };
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
        <span className={cx(styles.observed, styles.share)} title={shown.title}>
          <span className={styles.words}>{shown.agreed}</span>
          {shown.unknown && (
            <span className={shown.agreed === undefined ? undefined : cx(styles.words, styles.ofAgreed)}>
              {shown.agreed !== undefined && ' · '}
              {shown.unknown}
            </span>
          )}
          {shown.figure && (
            <span className={styles.figure} aria-hidden="true">
              {shown.figure}
            </span>
          )}
        </span>
      )}
    </>
  );
}
