/** Where the chosen language is kept, for all pages of this service. */
const CHOICE = 'darkroom.guide.language';
const NEXT: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

interface Tab {
  readonly language: string;
  readonly button: HTMLButtonElement;
  readonly panel: HTMLElement;
}

/** Shows one of several examples at a time. The language that is chosen once is shown wherever there is one. */
export function makeTabs(): void {
  const groups = [...document.querySelectorAll<HTMLElement>('.tabs')].map(makeGroup);
  const choose = (language: string) => {
    for (const tabs of groups) if (tabs.some((tab) => tab.language === language)) show(tabs, language);
  };
  for (const tabs of groups) {
    show(tabs, tabs[0]?.language ?? '');
    for (const [index, { button, language }] of tabs.entries()) {
      button.addEventListener('click', () => {
        const before = button.getBoundingClientRect().top;
        choose(language);
        // Examples above may now be longer or shorter: the chosen one stays where it is.
        scrollBy({ top: button.getBoundingClientRect().top - before, behavior: 'instant' });
        remember(language);
      });
      button.addEventListener('keydown', ({ key }) => {
        const step = NEXT[key];
        if (step === undefined) return;
        const next = tabs[(index + step + tabs.length) % tabs.length]?.button;
        next?.focus();
        next?.click();
      });
    }
  }
  const remembered = recall();
  if (remembered !== null) choose(remembered);
}

function makeGroup(group: HTMLElement, place: number): readonly Tab[] {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language of the example');
  const tabs = [...group.querySelectorAll<HTMLElement>('[data-language]')].map((panel, index) => {
    const language = panel.dataset.language ?? '';
    const button = document.createElement('button');
    button.type = 'button';
    button.id = `tab-${place}-${index}`;
    button.textContent = language;
    button.setAttribute('role', 'tab');
    panel.id = `panel-${place}-${index}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', button.id);
    panel.querySelector('.language')?.remove();
    button.setAttribute('aria-controls', panel.id);
    list.append(button);
    return { language, button, panel };
  });
  group.prepend(list);
  return tabs;
}

function show(tabs: readonly Tab[], language: string): void {
  for (const tab of tabs) {
    const isShown = tab.language === language;
    tab.panel.hidden = !isShown;
    tab.button.setAttribute('aria-selected', String(isShown));
    tab.button.tabIndex = isShown ? 0 : -1;
  }
}

function remember(language: string): void {
  try {
    localStorage.setItem(CHOICE, language);
  } catch {
    // A browser that keeps nothing still shows the choice on this page.
  }
}

function recall(): string | null {
  try {
    return localStorage.getItem(CHOICE);
  } catch {
    return null;
  }
}
