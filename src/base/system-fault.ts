import { reasonOf } from '@darkroom-service/contract';
import { sentenceOfFault } from '@darkroom-service/media/process';

/** Returns what an error is for operators: its sentence, else its own words. */
export function wordsOf(error: unknown): string {
  return sentenceOfFault(error) ?? reasonOf(error);
}
