/** Explains an exit code. Default export: lazy. */
import { exitCodeMeaning } from '@podscope/trace/explain';
import { useT } from '../../base/i18n/i18n.ts';
import { whyMessages } from './messages.en.ts';
import { sayText } from './say.ts';

export default function ExitMeaning({ code }: { readonly code: number }) {
  const t = useT();
  return <>{t(whyMessages.exitMeaning, { code, meaning: sayText(t, exitCodeMeaning(code)) })}</>;
}
