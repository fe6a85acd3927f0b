import type { Translation } from './translation.ts';

export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];
/** The files of texts that the first page needs. Each exists in every language. */
export type FirstTextFile = 'frame' | 'options' | 'orders' | 'studio';

const NAME = 'darkroom.language';
// Tests read texts without a browser, in English whatever the machine's language is.
const isBrowser = 'document' in globalThis;

/** Returns the language chosen in this browser; null = as the browser prefers. */
export function chosenLanguage(): Language | null {
  try {
    const chosen = localStorage.getItem(NAME);
    return LANGUAGES.find((language) => language === chosen) ?? null;
  } catch {
    return null;
  }
}

/** Keeps the choice. The page applies it when it is loaded again, because texts are read while it loads. */
export function chooseLanguage(language: Language | null): void {
  if (language === null) localStorage.removeItem(NAME);
  else localStorage.setItem(NAME, language);
}

/** Returns the first of the preferred languages (`de-AT`, `fr`, …) that the console has; English if there is none. */
export function firstKnown(preferred: readonly string[]): Language {
  return preferred.map(languageOf).find((known) => known !== undefined) ?? 'en';
}

function languageOf(tag: string): Language | undefined {
  return LANGUAGES.find((known) => tag.toLowerCase().split('-')[0] === known);
}

/**
 * The German texts of the first page, for those who read them; null for everyone else. All texts wait for it, so that
 * constants made from texts have the right language. Hence the German files import nothing but types and each other: an
 * import of a file that waits for them would wait forever. Without an answer the console stays in English.
 */
const german: Readonly<Record<FirstTextFile, unknown>> | null =
  isBrowser && (chosenLanguage() ?? firstKnown(navigator.languages)) === 'de'
    ? await import('./de/first-german.ts').then(
        (loaded) => loaded.firstGerman,
        () => null,
      )
    : null;

/** The language of this page, until it is loaded again. */
export const language: Language = german === null ? 'en' : 'de';

/**
 * The reader's variant of it (`en-GB`, `de-AT`), for dates and times: those differ most by country. Numbers follow the
 * language alone, as they do within texts.
 */
export const locale: string =
  (isBrowser ? navigator.languages : []).find((tag) => languageOf(tag) === language && isWellFormed(tag)) ?? language;

/** Some browsers pass on the name of a locale of the system, such as `en-US@posix`, which `Intl` refuses. */
function isWellFormed(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Returns the texts of a file of the first page in the language of this page. */
export function translatedFirst<T>(file: FirstTextFile, english: T): Translation<T> {
  return (german === null ? english : german[file]) as Translation<T>;
}
