import type { Section } from '../src/section.ts';
import { type Found, findSections } from './find-sections.ts';

/**
 * Adds the search to the page's header. `/` leads to it, the arrow keys through its results, Escape out of it.
 * @param folder address of the guide's pages
 */
export function addSearch(folder: URL): void {
  const search = document.querySelector<HTMLElement>('header search');
  if (search === null) return;
  search.innerHTML = `<input type="search" aria-label="Search the guide" placeholder="Search ( / )" autocomplete="off" spellcheck="false">
<div class="found" hidden><p role="status"></p><ul></ul></div>`;
  search.hidden = false;
  const input = search.querySelector('input')!;
  const panel = search.querySelector<HTMLElement>('.found')!;
  const status = panel.querySelector('p')!;
  const results = panel.querySelector('ul')!;
  const read = rememberSections(new URL('search.json', folder));

  const close = () => {
    panel.hidden = true;
  };
  const look = async () => {
    const query = input.value;
    if (query.trim() === '') return close();
    const sections = await read().catch(() => null);
    // A later letter looks for itself.
    if (input.value !== query) return;
    const found = sections === null ? [] : findSections(sections, query);
    results.replaceChildren(...found.map((one) => resultOf(one, folder)));
    panel.hidden = false;
    if (sections === null) status.textContent = 'The search cannot be loaded. Try again.';
    else status.textContent = found.length === 0 ? 'Nothing found.' : `${found.length} found`;
  };
  input.addEventListener('focus', () => void read().catch(() => {}));
  input.addEventListener('input', () => void look());
  search.addEventListener('keydown', (event) => {
    const places: HTMLElement[] = [input, ...results.querySelectorAll('a')];
    const here = places.indexOf(event.target as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter' && here === 0) results.querySelector('a')?.click();
    else if (event.key === 'Escape') {
      close();
      input.focus();
    } else if (step !== undefined) {
      event.preventDefault();
      places[Math.max(0, Math.min(here + step, places.length - 1))]?.focus();
    }
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLElement && event.target.closest('input, textarea') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', (event) => {
    const isInside = event.target instanceof Node && search.contains(event.target);
    const isResult = event.target instanceof Element && event.target.closest('.found a') !== null;
    if (!isInside || isResult) close();
  });
}

/** Reads the sections once, when they are first asked for. */
function rememberSections(address: URL): () => Promise<readonly Section[]> {
  let sections: Promise<readonly Section[]> | null = null;
  return () => {
    sections ??= fetch(address).then((response) => {
      if (!response.ok) throw new Error(`${address} answered ${response.status}`);
      return response.json();
    });
    sections.catch(() => (sections = null));
    return sections;
  };
}

function resultOf({ section, excerpt }: Found, folder: URL): HTMLElement {
  const { page, title, heading, anchor } = section;
  const link = document.createElement('a');
  link.href = new URL(`${page === 'api' ? '../docs' : page}${anchor === '' ? '' : `#${anchor}`}`, folder).href;
  const name = document.createElement('strong');
  name.textContent = heading === '' ? title : `${title}: ${heading}`;
  const text = document.createElement('span');
  text.append(...excerpt.map((part) => (part.isMatch ? markOf(part.text) : part.text)));
  link.append(name, text);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function markOf(text: string): HTMLElement {
  const mark = document.createElement('mark');
  mark.textContent = text;
  return mark;
}
