/** The templates to begin with. */
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from '../ui/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import styles from './TemplateMenu.module.css';
import { type Template, templates } from './templates.ts';

export function TemplateMenu({ onPick }: { readonly onPick: (template: Template) => void }) {
  return (
    <MenuTrigger>
      <Button>
        Templates
        <Icon name="chevronDown" size={12} />
      </Button>
      <Popover className={styles.popover} offset={4} placement="bottom end">
        <Menu className={styles.menu} aria-label="Templates" items={templates}>
          {(template) => (
            <MenuItem id={template.id} textValue={template.title} className={styles.item} onAction={() => onPick(template)}>
              <span className={styles.title}>{template.title}</span>
              <span className={styles.description}>{template.description}</span>
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
