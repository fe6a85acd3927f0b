import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '@darkroom-service/engines/fakes/free-port';
import { until } from '@darkroom-service/testing/until';
import { readDeployFile } from './deploy-files.ts';

const run = promisify(execFile);

/** The program, and where its libraries are; null = the system knows. */
interface Program {
  readonly path: string;
  readonly libraries: string | null;
}

export interface Haproxy {
  readonly url: string;
  /** Returns the backend that got the last request for this path and query. */
  backendOf(path: string): Promise<string>;
}

/**
 * Finds HAProxy on this machine, or unpacks Debian's packages of it into a folder, which needs no root. Null where
 * neither is possible.
 */
export async function findHaproxy(closers: Pick<TestContext, 'after'>): Promise<Program | null> {
  const isInstalled = await run('haproxy', ['-v']).then(
    () => true,
    () => false,
  );
  if (isInstalled) return { path: 'haproxy', libraries: null };
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-haproxy-'));
  closers.after(() => rm(folder, { recursive: true, force: true }));
  try {
    const missing = ['install', '--print-uris', '--quiet=2', '--no-install-recommends', 'haproxy'];
    const { stdout } = await run('apt-get', ['--option', 'Debug::NoLocking=true', ...missing]);
    const packages = [...stdout.matchAll(/^'[^']+' ([^_]+)_/gm)].map(([, name = '']) => name);
    await run('apt-get', ['download', ...packages], { cwd: folder });
    for (const file of globSync('*.deb', { cwd: folder }))
      await run('dpkg-deb', ['--extract', file, '.'], { cwd: folder });
  } catch {
    return null;
  }
  const [path = ''] = globSync('usr/sbin/haproxy', { cwd: folder });
  const libraries = globSync('{,usr/}lib/*-linux-gnu*', { cwd: folder }).map((each) => join(folder, each));
  return path === '' ? null : { path: join(folder, path), libraries: libraries.join(':') };
}

/**
 * Runs HAProxy with `deploy/cells/haproxy.cfg`: only its addresses are others, and it has no certificate.
 * @param ports of the cells in the order of the file
 */
export async function openHaproxy(
  t: TestContext,
  { path, libraries }: Program,
  [eu1, us1]: readonly [number, number],
): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-haproxy-'));
  const port = await freePort();
  const configuration = readDeployFile('cells/haproxy.cfg')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace(/^ *(?:bind :443|http-request redirect) .*$/gm, '')
    .replaceAll(':8081', `:${eu1}`)
    .replaceAll(':8082', `:${us1}`);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  const env = { ...process.env, ...(libraries === null ? {} : { LD_LIBRARY_PATH: libraries }) };
  await run(path, ['-c', '-f', file], { env });
  const child = spawn(path, ['-db', '-f', file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  });
  const backends = new Map<string, string>();
  createInterface(child.stdout).on('line', (line) => {
    const [, backend, asked] = / darkroom (\w+)\/\S+ .* "[A-Z]+ (\S+) HTTP/.exec(line) ?? [];
    if (backend !== undefined && asked !== undefined) backends.set(asked, backend);
  });
  return {
    url: `http://127.0.0.1:${port}`,
    backendOf: async (asked) =>
      (await until(
        () => backends.get(asked),
        (backend) => backend !== undefined,
      )) ?? '',
  };
}
