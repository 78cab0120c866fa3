/**
 * Adds the search, and the menu of narrow windows, to the pages of the documentation. The pages can also be read
 * without this script.
 */
import MiniSearch from 'minisearch';
import { indexOptions, type SearchHit } from '../search-options.ts';

/** The number of results that are shown. */
const shownResults = 12;
const root = document.body.dataset['root'] ?? '.';

let loading: Promise<MiniSearch> | undefined;

/** Returns the search index, which is loaded when the search field is first used. */
async function loadIndex(): Promise<MiniSearch> {
  const response = await fetch(`${root}/assets/search.json`);
  if (!response.ok) throw new Error(`search.json: ${response.status}`);
  return MiniSearch.loadJSON(await response.text(), indexOptions);
}

/** Returns the search index. If loading it fails, the next call loads it again. */
function searchIndex(): Promise<MiniSearch> {
  loading ??= loadIndex().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

/** Returns the part of a text around the first matched word, at most about 140 characters. */
function excerpt(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((at) => at >= 0);
  const from = Math.max(0, Math.min(...places, text.length) - 50);
  const start = from === 0 || places.length === 0 ? 0 : text.indexOf(' ', from) + 1;
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + 140)}${text.length > start + 140 ? ' …' : ''}`;
}

function resultItem(hit: SearchHit): HTMLLIElement {
  const link = document.createElement('a');
  link.href = `${root}/${hit.href}`;
  const title = document.createElement('strong');
  title.textContent = hit.title === hit.page ? hit.page : `${hit.page} › ${hit.title}`;
  const text = document.createElement('span');
  text.textContent = excerpt(hit.text, hit.terms);
  link.append(title, text);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function startSearch(form: HTMLFormElement, input: HTMLInputElement, results: HTMLElement, count: HTMLElement): void {
  let latest = 0;
  const show = async (): Promise<void> => {
    const query = input.value.trim();
    const own = ++latest;
    if (query === '') {
      results.hidden = true;
      count.textContent = '';
      return;
    }
    let hits: readonly SearchHit[];
    try {
      hits = (await searchIndex()).search(query) as unknown as readonly SearchHit[];
    } catch {
      if (own === latest) count.textContent = 'The search index could not be loaded.';
      return;
    }
    // The text of the field may have changed while the index was loaded. In this case, drop these results.
    if (own !== latest) return;
    const shown = hits.slice(0, shownResults);
    results.replaceChildren(...shown.map(resultItem));
    if (shown.length === 0) {
      const none = document.createElement('li');
      none.textContent = 'No page has these words.';
      results.append(none);
    }
    results.hidden = false;
    count.textContent = `${hits.length} ${hits.length === 1 ? 'result' : 'results'}`;
  };
  const links = (): readonly HTMLAnchorElement[] => [...results.querySelectorAll('a')];
  form.hidden = false;
  input.addEventListener('input', () => void show());
  input.addEventListener('focus', () => {
    if (input.value.trim() !== '') results.hidden = false;
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    links()[0]?.click();
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node) || !form.contains(relatedTarget)) results.hidden = true;
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      results.hidden = true;
      input.focus();
      return;
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const all: readonly HTMLElement[] = [input, ...links()];
    const at = all.findIndex((element) => element === document.activeElement);
    const next = all[at + (event.key === 'ArrowDown' ? 1 : -1)];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLElement && event.target.matches('input, textarea')) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
}

/**
 * Loads every page once per browser session, so that the site's service worker caches the pages and the index for
 * offline use.
 */
async function keepPages(): Promise<void> {
  const done = 'podscope.docs.kept';
  if (sessionStorage.getItem(done) !== null) return;
  const sections = (await searchIndex()).search(MiniSearch.wildcard) as unknown as readonly SearchHit[];
  for (const page of new Set(sections.map(({ href }) => href.replace(/#.*/, '')))) await fetch(`${root}/${page}`);
  sessionStorage.setItem(done, 'yes');
}

const form = document.querySelector<HTMLFormElement>('form.search');
const input = document.querySelector<HTMLInputElement>('#search');
const results = document.querySelector<HTMLElement>('#results');
const count = document.querySelector<HTMLElement>('#count');
if (form && input && results && count) startSearch(form, input, results, count);

// In a wide window, the list of pages is beside the page. In a narrow window, it is a closed menu above the page.
const menu = document.querySelector<HTMLDetailsElement>('details.menu');
if (menu && matchMedia('(width < 900px)').matches) menu.open = false;

// The browser has a service worker only after it has opened the site's main page.
if (navigator.serviceWorker?.controller)
  setTimeout(() => {
    keepPages().catch((error: unknown) => console.debug('Not every page is kept for offline use:', error));
  }, 1_000);
