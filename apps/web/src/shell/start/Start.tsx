/**
 * Renders the first screen of a node without pods: what Podscope is, and four ways to begin. Default export: loaded
 * when shown.
 */
import { useT } from '../../base/i18n/i18n.ts';
import { Icon, type IconName } from '../../base/ui/marks/Icon.tsx';
import { CopyText } from '../../base/ui/text/CopyText.tsx';
import { createFromTemplate } from '../../features/editor/index.ts';
import { addressedClass } from '../../node/address/address.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useRefusal } from '../../node/run/refusal.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';
import { openDialog, openEditor } from '../../node/view/interface.ts';
import { startMessages as texts } from './messages.en.ts';
import styles from './Start.module.css';

interface WayProps {
  readonly icon: IconName;
  readonly title: string;
  readonly note: string;
  /** Reason why this way to begin is unavailable. */
  readonly refusal?: string | undefined;
  readonly onOpen: () => void;
}

function Way({ icon, title, note, refusal, onOpen }: WayProps) {
  return (
    <li>
      <button type="button" className={styles.way} disabled={refusal !== undefined} title={refusal} onClick={onOpen}>
        <span className={styles.icon}>
          <Icon name={icon} size={18} />
        </span>
        <span className={styles.name}>{title}</span>
        <span className={styles.note}>{note}</span>
      </button>
    </li>
  );
}

export default function Start() {
  const session = useSession();
  const refusal = useRefusal();
  const kubeconfig = useNodeInfo()?.kubeconfig;
  const t = useT();
  return (
    <div className={styles.start}>
      <div className={styles.column}>
        <h1 className={styles.title}>{t(texts.title)}</h1>
        <p className={styles.introduction}>{t(texts.introduction)}</p>
        <ul className={styles.ways} aria-label={t(texts.ways)}>
          <Way
            icon="play"
            title={t(texts.watch)}
            note={t(texts.watchNote)}
            refusal={refusal}
            onOpen={() => void createFromTemplate(session, 'healthy')}
          />
          <Way
            icon="warning"
            title={t(texts.broken)}
            note={t(texts.brokenNote)}
            refusal={refusal}
            onOpen={() => void createFromTemplate(session, 'crash-loop')}
          />
          <Way icon="lesson" title={t(texts.lesson)} note={t(texts.lessonNote)} onOpen={() => openDialog('lessons')} />
          <Way
            icon="file"
            title={t(texts.manifest)}
            note={t(texts.manifestNote)}
            refusal={refusal}
            onOpen={() => openEditor()}
          />
        </ul>
        <p className={styles.more}>
          <button type="button" className={styles.link} onClick={() => openDialog('guide')}>
            {t(texts.guide)}
          </button>
          <button type="button" className={styles.link} onClick={() => openDialog('scenarios')}>
            {t(texts.scenarios)}
          </button>
          {addressedClass === undefined && (
            <button type="button" className={styles.link} onClick={() => openDialog('class')}>
              {t(texts.class)}
            </button>
          )}
          <button type="button" className={styles.link} onClick={() => openDialog('snapshot')}>
            {t(texts.explain)}
          </button>
        </p>
        {kubeconfig !== undefined && (
          <div className={styles.kubectl}>
            <p>{t(texts.kubectl)}</p>
            <CopyText text={`kubectl --kubeconfig ${kubeconfig} apply -f pod.yaml`} label={t(texts.copyCommand)} />
          </div>
        )}
      </div>
    </div>
  );
}
