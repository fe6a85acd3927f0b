/** Error codes with which the operating system reports a lack of disk space, memory, file handles or processes. */
const SHORTAGES = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'] as const;
export type Shortage = (typeof SHORTAGES)[number];

/** A lack of a resource on this machine. It concerns neither the order nor the upstream, and a retry may succeed. */
export class MachineFault extends Error {
  readonly shortage: Shortage;

  constructor(shortage: Shortage, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MachineFault';
    this.shortage = shortage;
  }
}

/** Returns the shortage that an error or one of its causes reports, or null. */
export function shortageOf(error: unknown): Shortage | null {
  if (!(error instanceof Error)) return null;
  if (error instanceof MachineFault) return error.shortage;
  const code = 'code' in error ? error.code : null;
  return SHORTAGES.find((each) => each === code) ?? shortageOf(error.cause);
}
