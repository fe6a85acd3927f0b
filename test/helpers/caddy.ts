import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import type { DebianProgram } from './debian-program.ts';

/** Runs Caddy with these directives for one site. @returns its address */
export async function openCaddy(
  t: Pick<TestContext, 'after'>,
  { path, env }: DebianProgram,
  directives: string,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-caddy-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  const file = join(folder, 'Caddyfile');
  await writeFile(file, `{\nadmin off\nauto_https off\nstorage file_system ${folder}\n}\n${url} {\n${directives}\n}\n`);
  const child = spawn(path, ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...env, HOME: folder },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  });
  await until(
    () =>
      fetch(url).then(
        () => true,
        () => child.exitCode !== null,
      ),
    (answers) => answers,
  );
  return url;
}
