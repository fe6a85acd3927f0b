import { reasonOf } from '@darkroom-service/contract';
import { sentenceOfFault } from '@darkroom-service/media/process';

/** Returns an error's text for operators: a sentence for a known fault, otherwise the error's own message. */
export function wordsOf(error: unknown): string {
  return sentenceOfFault(error) ?? reasonOf(error);
}
