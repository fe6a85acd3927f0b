import { language } from './language.ts';
import type { Translation } from './translation.ts';

/** The files of texts that the first page does not need. Each exists in every language. */
export type TextFile =
  | 'batches'
  | 'endUsers'
  | 'history'
  | 'keys'
  | 'light'
  | 'local'
  | 'operations'
  | 'requests'
  | 'selection'
  | 'shares'
  | 'trends'
  | 'usage'
  | 'webhooks';

/** Without an answer, whatever uses these texts cannot be loaded, which the page says: it is not half English. */
const german: Readonly<Record<TextFile, unknown>> | null =
  language === 'de' ? (await import('./de/german.ts')).german : null;

/** Returns the texts of a file in the language of this page. */
export function translated<T>(file: TextFile, english: T): Translation<T> {
  return (german === null ? english : german[file]) as Translation<T>;
}
