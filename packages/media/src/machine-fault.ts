/** Error codes with which the operating system reports a lack of disk space, memory, file handles or processes. */
const LACKS: readonly string[] = ['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'];
/** Error codes that concern a file or directory of the service if they come with a path; else the network. */
const OF_FILES: readonly string[] = [
  'EACCES',
  'EPERM',
  'EROFS',
  'EIO',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENODEV',
  'ESTALE',
];
/** Error codes of a part of the program that cannot be loaded, for example while another version replaces it. */
const OF_PROGRAM: readonly string[] = ['ERR_PROGRAM', 'ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED'];

/**
 * A fault of this machine: it lacks a resource, refuses a file, or has an incomplete installation. It concerns neither
 * the order nor the upstream, and a retry may succeed.
 */
export class MachineFault extends Error {
  /** Code of the system, for example `ENOSPC`. */
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'MachineFault';
    this.code = code;
  }
}

/** Returns the code of the fault of this machine that an error or one of its causes reports, or null. */
export function machineFaultOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const isFault =
    error instanceof MachineFault ||
    LACKS.includes(code) ||
    OF_PROGRAM.includes(code) ||
    (OF_FILES.includes(code) && 'path' in error);
  return isFault ? code : machineFaultOf(error.cause);
}

/** Tells whether a fault of the machine concerns the program's own files. */
export function isOfProgram(code: string | null): boolean {
  return code !== null && OF_PROGRAM.includes(code);
}

/** Tells whether a fault of the machine is a lack of a resource, which passes when others need less. */
export function isLack(code: string | null): boolean {
  return code !== null && LACKS.includes(code);
}

/** Meanings of system errors, without the paths that their messages name. */
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
  ERR_MODULE_NOT_FOUND: 'a file of the program is missing',
  MODULE_NOT_FOUND: 'a file of the program is missing',
  ERR_PROGRAM: 'a part of the program cannot be loaded',
  SIGKILL: 'the system has ended a process of the service, as it does when memory runs out',
  ERR_DLOPEN_FAILED: 'a native part of the program cannot be loaded',
};

/** Meanings of errors of the embedded database, by the lower byte of their code. */
const OF_SQLITE: Readonly<Record<number, string>> = {
  5: 'another program has locked the database',
  8: 'the database is read-only',
  10: 'the disk of the database returns errors',
  11: 'the file of the database is damaged',
  13: 'the disk of the database is full',
  14: 'the file of the database cannot be opened',
  26: 'the file is not a database',
};
/** Meanings of network errors, to follow the address that they name. */
const OF_NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'accepts no connection',
  ECONNRESET: 'has cut the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENOTFOUND: 'is not known by this name',
  ETIMEDOUT: 'does not answer',
};

/** Returns the sentence for a system error, or an error that one caused; null for other errors. */
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

/** Messages of libvips when the machine has no room for a temporary file. */
const NO_ROOM = /no space left|unable to (?:open|create|write) temp|too many open files|disc quota|disk quota/i;

/**
 * Tells whether an error of a decoder concerns this machine (disk, open files, memory for a thread) and not the file
 * being read.
 */
export function isFaultOfMachine(error: unknown): boolean {
  if (machineFaultOf(error) !== null) return true;
  if (!(error instanceof Error)) return false;
  // System errors have codes like ENOSPC; Node's own begin with ERR_.
  if ('code' in error && typeof error.code === 'string' && /^E[A-Z]+$/.test(error.code)) return true;
  return NO_ROOM.test(error.message);
}
