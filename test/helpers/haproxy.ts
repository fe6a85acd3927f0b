import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import { type DebianProgram, findDebianProgram } from './debian-program.ts';
import { readDeployFile } from './deploy-files.ts';

const run = promisify(execFile);

export interface Haproxy {
  readonly url: string;
  /** Returns the backend that got the last request for this path and query. */
  backendOf(path: string): Promise<string>;
  /** Kills it, does something, and starts it again at the same address. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>;
}

/** Finds HAProxy in the path, or unpacks Debian's package; null where neither works. */
export async function findHaproxy(closers: Pick<TestContext, 'after'>): Promise<DebianProgram | null> {
  const isInstalled = await run('haproxy', ['-v']).then(
    () => true,
    () => false,
  );
  if (isInstalled) return { path: 'haproxy', env: process.env, root: '' };
  return await findDebianProgram(closers, '/usr/sbin/haproxy', ['haproxy']);
}

/**
 * Runs HAProxy with `deploy/cells/haproxy.cfg`: only its addresses are others, and it has no certificate.
 * @param ports of the processes of each cell, in the order of the file
 */
export async function openHaproxy(
  t: Pick<TestContext, 'after'>,
  { path, env }: DebianProgram,
  [eu1, us1]: readonly [readonly number[], readonly number[]],
  port?: number,
): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-haproxy-'));
  port ??= await freePort();
  const servers = (cell: string, ports: readonly number[]) =>
    ports.map((each, index) => `    server ${cell}-${index + 1} 127.0.0.1:${each}`).join('\n');
  const configuration = readDeployFile('cells/haproxy.cfg')
    .replace('bind :80', `bind 127.0.0.1:${port}`)
    .replace(/^ *(?:bind :443|http-request redirect) .*$/gm, '')
    .replace(/^ *server eu1-1 .*$/gm, servers('eu1', eu1))
    .replace(/^ *server us1-1 .*$/gm, servers('us1', us1));
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configuration);
  await run(path, ['-c', '-f', file], { env });
  const backends = new Map<string, string>();
  const start = () => {
    const started = spawn(path, ['-db', '-f', file], { env, stdio: ['ignore', 'pipe', 'ignore'] });
    createInterface(started.stdout).on('line', (line) => {
      const [, backend, asked] = / darkroom (\w+)\/\S+ .* "[A-Z]+ (\S+) HTTP/.exec(line) ?? [];
      if (backend !== undefined && asked !== undefined) backends.set(asked, backend);
    });
    return { started, ended: once(started, 'exit') };
  };
  let child = start();
  const kill = async () => {
    child.started.kill('SIGKILL');
    await child.ended;
  };
  t.after(async () => {
    await kill();
    await rm(folder, { recursive: true });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    backendOf: async (asked) =>
      (await until(
        () => backends.get(asked),
        (backend) => backend !== undefined,
      )) ?? '',
    async restart(meanwhile) {
      await kill();
      await meanwhile();
      child = start();
    },
  };
}
