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

/** Returns the sentence for an error of the file system, or of what it caused; null = it is none. */
export function sentenceOfFault(error: unknown): string | null {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = 'code' in one ? String(one.code) : '';
    if (Object.hasOwn(SENTENCES, code)) return `${SENTENCES[code]} (${code})`;
  }
  return null;
}
