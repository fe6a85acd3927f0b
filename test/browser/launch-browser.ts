import { tmpdir } from 'node:os';
import { type Browser, chromium as driver } from 'playwright-core';
import { unpackBrowser } from './unpack-browser.ts';

/**
 * Not the package's own list, which turns off what pages are kept apart by. As root a browser starts only without its
 * sandbox.
 */
const ARGUMENTS = ['--no-sandbox', '--disable-dev-shm-usage'];

/**
 * A browser without a window, the same for tests, measurements and pictures. The caller closes it.
 * @param more arguments of this browser alone
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const { program, fonts } = await unpackBrowser();
  // Where its processes share memory: on a disk, that takes an eighth of the processor time of a test.
  const env = { TMPDIR: tmpdir(), PATH: process.env.PATH ?? '', FONTCONFIG_PATH: fonts };
  return await driver.launch({ executablePath: program, args: [...ARGUMENTS, ...more], headless: true, env });
}
