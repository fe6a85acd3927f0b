import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Creates a directory that is removed when this process exits. Nothing uses it any more by then: a test that removed it
 * while its service still wrote there would fail, and the service would never be closed.
 * @param name what its name begins with.
 */
export async function temporaryDirectory(name: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), name));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  return directory;
}
