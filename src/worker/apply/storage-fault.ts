import { StorageError } from '@darkroom-service/media';
import { machineFaultOf } from '@darkroom-service/media/process';
import { wordsOf } from '../../base/system-fault.ts';

/** Returns the reason why a result cannot be stored now; null = the error is of another kind. */
export function storageFaultOf(error: unknown): string | null {
  // A storage describes its fault in a sentence; an error of the machine may name paths.
  if (error instanceof StorageError) return error.message;
  return machineFaultOf(error) === null ? null : wordsOf(error);
}

/** Tells whether a stored input file no longer exists. */
export function isGone(error: unknown): boolean {
  return error instanceof StorageError && error.kind === 'not_found';
}
