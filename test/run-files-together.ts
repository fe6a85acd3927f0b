import { basename } from 'node:path';
import { before, suite } from 'node:test';
import { pathToFileURL } from 'node:url';
import { endFile, endProcess, shareProcess } from './helpers/whole-file.ts';

/**
 * Runs test files in this process, one after the other, each as if it were alone: the next one is loaded when all tests
 * of the last one have ended and what they shared is closed. Loading the service's modules costs more processor time
 * than most files.
 * @param files absolute paths.
 */
export async function runFilesTogether(files: readonly string[]): Promise<void> {
  shareProcess();
  for (const file of files) {
    let fault: unknown = null;
    await import(pathToFileURL(file).href).catch((error: unknown) => {
      fault = error;
    });
    // Tests and suites run in the order in which they are defined, so this one waits for those of the file. It is no
    // test: nothing would be counted that asserts something.
    await suite(`the end of ${basename(file)}`, () => {
      before(async () => {
        await endFile();
        if (fault !== null) throw fault;
      });
    });
  }
  await endProcess();
}
