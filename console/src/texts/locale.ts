// Tests read texts without a browser, whatever the machine's language is.
const preferred = 'document' in globalThis ? navigator.languages : [];

/** The reader's locale, in which dates and numbers are written. */
export const locale: string = preferred.find(isWellFormed) ?? 'en';

/**
 * Tells whether `Intl` accepts a locale. Some browsers pass on a system's name, such as `en-US@posix`, which it
 * refuses.
 */
function isWellFormed(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
