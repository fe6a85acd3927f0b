import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * Starts the service of this checkout once, on data of its own, and stops it: then Node has compiled what a start and a
 * command load, and keeps it in `compiled/`. Without it only the first start is slower, so a failure is a warning.
 */
const MAIN = join(import.meta.dirname, '..', 'src', 'main.ts');
const ENOUGH_MS = 60_000;

const data = mkdtempSync(join(tmpdir(), 'darkroom-prepare-'));
const child = spawn(process.execPath, [MAIN, 'serve'], {
  cwd: data,
  env: {
    PATH: process.env.PATH,
    DARKROOM_DATA_DIR: join(data, 'data'),
    DARKROOM_PORT: '0',
    DARKROOM_LOG_LEVEL: 'fatal',
  },
  stdio: ['ignore', 'pipe', 'pipe'],
  timeout: ENOUGH_MS,
});
child.stdout.on('data', (said: Buffer) => {
  if (said.includes('listens on')) child.kill('SIGINT');
});
const [complaints, code] = await Promise.all([
  text(child.stderr),
  new Promise<number | null>((resolve) => child.once('close', resolve)),
]);
rmSync(data, { recursive: true, force: true });
if (code !== 0) console.warn(`The first start will be slower: a trial start failed. ${complaints}`);
