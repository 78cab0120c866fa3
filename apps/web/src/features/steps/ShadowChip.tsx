/** Shows the verdict on a sync of a genuine kubelet, and saves the sync as a file. */
import { type PodTrack, type SyncRecord, toJson } from '@podscope/trace';
import { useT } from '../../base/i18n/i18n.ts';
import { IconButton } from '../../base/ui/fields/Button.tsx';
import { Chip } from '../../base/ui/marks/Chip.tsx';
import type { Tone } from '../../base/ui/marks/StateMark.tsx';
import { exportedSync, type ShadowVerdict, shadowVerdictOf } from '../../node/syncs/shadow-verdict.ts';
import type { SpanOf } from '../../node/syncs/sync-in-view.ts';
import { shadowMessages as texts } from './messages.en.ts';
import styles from './StepsTab.module.css';

const tones: Readonly<Record<ShadowVerdict['verdict'], Tone>> = {
  agrees: 'done',
  differs: 'error',
  unknown: 'pending',
};

/** Returns the explanation of a verdict, one reason per line. */
function useReason(verdict: ShadowVerdict | undefined): string {
  const t = useT();
  if (!verdict) return '';
  const { differences, missing, detail, bounds } = verdict;
  return [
    ...differences.map(({ side, call }) => t(texts[side], { call })),
    ...(missing === undefined ? [] : [t(texts.missing, { input: detail ?? missing })]),
    ...(bounds === undefined ? [] : [t(bounds === 'span' ? texts.exactBounds : texts.inferredBounds)]),
  ].join('\n');
}

interface ShadowChipProps {
  readonly pod: PodTrack;
  readonly sync: SyncRecord;
  readonly spanOf: SpanOf;
}

export function ShadowChip({ pod, sync, spanOf }: ShadowChipProps) {
  const t = useT();
  const verdict = shadowVerdictOf(spanOf(sync.span));
  const reason = useReason(verdict);
  if (!verdict) return null;
  const save = async (): Promise<void> => {
    const { download } = await import('../../node/files/save-run.ts');
    const blob = new Blob([toJson(exportedSync(pod, sync, spanOf))], { type: 'application/json' });
    download(blob, `podscope-sync-${pod.name}-${sync.number}.json`);
  };
  return (
    <span className={styles.shadow} title={reason}>
      <Chip tone={tones[verdict.verdict]}>{t(texts[verdict.verdict])}</Chip>
      <IconButton icon="download" label={t(texts.save)} onPress={() => void save()} />
    </span>
  );
}
