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

/** What errors of the system mean, without the paths that their messages name. */
const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'the user of the service has no right to read or write there',
  EPERM: 'the user of the service has no right to do that there',
  ENOENT: 'a directory or file is not there any more',
  ENOTDIR: 'a file is where a directory is expected',
  EIO: 'the disk returns errors',
  EMFILE: 'the process has too many open files',
  ENFILE: 'the machine has too many open files',
};

/** What errors of the embedded database mean, by the lower byte of their code. */
const OF_SQLITE: Readonly<Record<number, string>> = {
  5: 'another program has locked the database',
  8: 'the database is read-only',
  10: 'the disk of the database returns errors',
  11: 'the file of the database is damaged',
  13: 'the disk of the database is full',
  14: 'the file of the database cannot be opened',
  26: 'the file is not a database',
};
/** What errors of the network mean, after the address that they name. */
const OF_NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'accepts no connection',
  ECONNRESET: 'has cut the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENOTFOUND: 'is not known by this name',
  ETIMEDOUT: 'does not answer',
};

/** Returns the sentence for an error of the system, or of what it caused; null = it is none. */
export function sentenceOfFault(error: unknown): string | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const { code = '', errcode = 0, ...fault } = one as SystemFault;
    if (Object.hasOwn(SENTENCES, code)) return `${SENTENCES[code]} (${code})`;
    if (code === 'ERR_SQLITE_ERROR' && Object.hasOwn(OF_SQLITE, errcode & 0xff))
      return OF_SQLITE[errcode & 0xff] ?? null;
    const where = fault.address ?? fault.hostname;
    if (Object.hasOwn(OF_NETWORK, code) && where !== undefined)
      return `${where}${fault.port === undefined ? '' : `:${fault.port}`} ${OF_NETWORK[code]} (${code})`;
  }
  return null;
}

/** The fields of errors of the system. */
interface SystemFault {
  readonly code?: string;
  readonly errcode?: number;
  readonly address?: string;
  readonly hostname?: string;
  readonly port?: number;
}
