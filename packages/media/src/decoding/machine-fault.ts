import { machineFaultOf } from '../process/machine-fault.ts';

/** Messages of libvips when the machine has no room for a temporary file. */
const NO_ROOM = /no space left|unable to (?:open|create|write) temp|too many open files|disc quota|disk quota/i;

/** Tells whether an error concerns this machine (disk, open files, memory for a thread) and not the file being read. */
export function isFaultOfMachine(error: unknown): boolean {
  if (machineFaultOf(error) !== null) return true;
  if (!(error instanceof Error)) return false;
  // System errors have codes like ENOSPC; Node's own begin with ERR_.
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) return true;
  return NO_ROOM.test(error.message);
}
