/**
 * Makes xterm work under a content security policy without inline styles. xterm writes rules into style elements and
 * some colors into style attributes, which the policy blocks; this module redirects them to constructed style sheets
 * and the CSSOM. xterm's option `documentOverride` doesn't cover all of its parts (6.0).
 */

/**
 * The cells of the terminal are spans. xterm sets their style attribute, which the policy blocks. Setting the style
 * through the CSSOM has the same effect and is allowed.
 */
Object.defineProperty(HTMLSpanElement.prototype, 'setAttribute', {
  value(this: HTMLSpanElement, name: string, value: string): void {
    if (name === 'style') this.style.cssText = value;
    else Element.prototype.setAttribute.call(this, name, value);
  },
  configurable: true,
  writable: true,
});

/** Returns an element that replaces a style element. Text written to it becomes a constructed style sheet. */
function stylePlaceholder(): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = document.createElement('span');
  element.hidden = true;
  let text = '';
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (css: string) => {
      text = css;
      sheet.replaceSync(css);
    },
  });
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const remove = element.remove.bind(element);
  element.remove = () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
    remove();
  };
  return element;
}

/** Runs `body`, and replaces the style elements that it creates. */
export function withPermittedStyles(body: () => void): void {
  const own = document.createElement.bind(document);
  const create = (tag: string): HTMLElement => {
    if (tag !== 'style') return own(tag);
    // Restore the original function by deleting the replacement, which is an own property of the document.
    Reflect.deleteProperty(document, 'createElement');
    try {
      return stylePlaceholder();
    } finally {
      Object.defineProperty(document, 'createElement', { value: create, configurable: true });
    }
  };
  Object.defineProperty(document, 'createElement', { value: create, configurable: true });
  try {
    body();
  } finally {
    Reflect.deleteProperty(document, 'createElement');
  }
}
