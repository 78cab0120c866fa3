/** What an exit code means. Default export: lazy. */
import { exitCodeMeaning } from '@podscope/trace/explain';
import { useT } from '../../i18n/i18n.ts';
import { inspectorMessages } from '../messages.en.ts';
import { sayText } from './say.ts';

export default function ExitMeaning({ code }: { readonly code: number }) {
  const t = useT();
  return <>{t(inspectorMessages.exitMeaning, { code, meaning: sayText(t, exitCodeMeaning(code)) })}</>;
}
