import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import type { DebianProgram } from './debian-program.ts';
import { askPostgres } from './postgres-server.ts';

/** `nobody`: PgBouncer refuses to run as root. */
const UNPRIVILEGED = 65_534;

/** Runs PgBouncer in transaction pooling in front of a database. @returns the database's address through it */
export async function openPgbouncer(
  t: Pick<TestContext, 'after'>,
  { path, env, root }: DebianProgram,
  url: string,
): Promise<string> {
  const { hostname, port, username } = new URL(url);
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-pgbouncer-'));
  const pooled = new URL(url);
  pooled.port = String(await freePort());
  await writeFile(join(directory, 'users.txt'), `"${username}" ""\n`);
  const config = join(directory, 'pgbouncer.ini');
  await writeFile(
    config,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${pooled.port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(directory, 'users.txt')}
pool_mode = transaction
`,
  );
  for (const each of [directory, ...(root === '' ? [] : [root])]) await chmod(each, 0o755);
  const isRoot = process.getuid?.() === 0;
  const program = spawn(path, [config], {
    env,
    stdio: 'ignore',
    ...(isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {}),
  });
  t.after(async () => {
    if (program.exitCode === null && program.signalCode === null) {
      program.kill('SIGKILL');
      await once(program, 'exit');
    }
    await rm(directory, { recursive: true, force: true });
  });
  await until(
    () =>
      askPostgres(pooled.href, 'select 1').then(
        () => true,
        () => false,
      ),
    (answers) => answers,
  );
  return pooled.href;
}
