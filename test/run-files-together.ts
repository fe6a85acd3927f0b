import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { before, suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endFile, endProcess, shareProcess } from './helpers/whole-file.ts';

const ROOT = join(import.meta.dirname, '..');

/**
 * Runs test files in this process, one after the other, each as if it were alone: the next one is loaded when all tests
 * of the last one have ended and what they shared is closed. Loading the service's modules costs more processor time
 * than most files. Several processes share the list: each takes the next file that no other one has taken, so that all
 * of them end at about the same time.
 * @param files absolute paths.
 * @param claims an empty directory of this list.
 * @param most files of this process.
 */
export async function runFilesTogether(files: readonly string[], claims: string, most: number): Promise<void> {
  shareProcess();
  let taken = 0;
  for (const [index, file] of files.entries()) {
    if (taken === most) break;
    if (!claim(join(claims, `${index}`))) continue;
    taken++;
    let fault: unknown = null;
    await import(pathToFileURL(file).href).catch((error: unknown) => {
      fault = error;
    });
    // Tests and suites run in the order in which they are defined, so this one waits for those of the file. It is no
    // test: nothing would be counted that asserts something.
    await suite(`the end of ${relative(ROOT, file)}`, () => {
      before(async () => {
        await endFile();
        if (fault !== null) throw fault;
      });
    });
  }
  await endProcess();
}

/** Returns whether this process is the first that asks for the file. */
function claim(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
