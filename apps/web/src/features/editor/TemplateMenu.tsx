/** Renders the menu of templates. */
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { useT } from '../../base/i18n/i18n.ts';
import { Button } from '../../base/ui/fields/Button.tsx';
import { Icon } from '../../base/ui/marks/Icon.tsx';
import { editorMessages, templateMessages } from './messages.en.ts';
import styles from './TemplateMenu.module.css';
import { type Template, templates } from './templates.ts';

export function TemplateMenu({ onPick }: { readonly onPick: (template: Template) => void }) {
  const t = useT();
  return (
    <MenuTrigger>
      <Button>
        {t(editorMessages.templates)}
        <Icon name="chevronDown" size={12} />
      </Button>
      <Popover className={styles.popover} offset={4} placement="bottom end">
        <Menu className={styles.menu} aria-label={t(editorMessages.templates)} items={templates}>
          {(template) => (
            <MenuItem
              id={template.id}
              textValue={t(templateMessages[`${template.id}Title`])}
              className={styles.item}
              onAction={() => onPick(template)}
            >
              <span className={styles.title}>{t(templateMessages[`${template.id}Title`])}</span>
              <span className={styles.description}>{t(templateMessages[`${template.id}Text`])}</span>
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
