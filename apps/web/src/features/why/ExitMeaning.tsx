/** Explains an exit code. Default export: loaded when first shown. */
import { exitCodeMeaning } from '@podscope/trace/explain';
import { useT } from '../../base/i18n/i18n.ts';
import { whyMessages } from './messages.en.ts';
import { translateText } from './translate-texts.ts';

interface ExitMeaningProps {
  readonly code: number;
  /** The reason in the container's status, such as OOMKilled. */
  readonly reason?: string | undefined;
}

export default function ExitMeaning({ code, reason }: ExitMeaningProps) {
  const t = useT();
  return <>{t(whyMessages.exitMeaning, { code, meaning: translateText(t, exitCodeMeaning(code, reason)) })}</>;
}
