import { reasonOf } from '@darkroom-service/contract';
import { sentenceOfFault } from '@darkroom-service/media/process';

export const DATABASE_LOST = 'the connection to the database was lost, or it does not answer';
/** Messages of the database driver for a lost or silent connection. */
const DRIVER_WORDS = /^(?:Connection terminated|Client (?:was closed|has encountered)|Query read timeout|timeout exp)/;

/** Returns an error's text for operators: a sentence for a known fault, otherwise the error's own message. */
export function wordsOf(error: unknown): string {
  const reason = reasonOf(error);
  return sentenceOfFault(error) ?? (DRIVER_WORDS.test(reason) ? DATABASE_LOST : reason);
}
