import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { freePort } from '@darkroom-service/engines/fakes/parts';
import { until } from '@darkroom-service/testing';
import type { DebianProgram } from './debian-program.ts';
import { readDeployFile } from './deploy-files.ts';

const JS = join(import.meta.dirname, '..', '..', 'deploy', 'cdn', 'nginx-edge.js');

/**
 * Runs nginx with `deploy/cdn/nginx.conf` in front of a service: only its addresses and folders are others. Each answer
 * says in `x-cache` what the cache did. @returns its address
 */
export async function openNginxEdge(
  t: Pick<TestContext, 'after'>,
  { path, env, root }: DebianProgram,
  { service, edgeKeys }: { readonly service: string; readonly edgeKeys: string },
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'darkroom-nginx-'));
  const port = await freePort();
  const file = join(folder, 'nginx.conf');
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const edge = readDeployFile('cdn/nginx.conf')
    .replace('listen 8090', `listen 127.0.0.1:${port}`)
    .replace('http://127.0.0.1:8080', service)
    .replaceAll('/etc/nginx/darkroom', folder)
    .replaceAll('/var/cache/nginx', folder);
  const configuration = `
    load_module ${root}/usr/lib/nginx/modules/ngx_http_js_module.so;
    ${process.getuid?.() === 0 ? 'user root;' : ''}
    worker_processes 1;
    daemon off;
    pid ${folder}/pid;
    error_log stderr;
    events {}
    http {
      ${temporary.join(' ')}
      access_log off;
      add_header x-cache $upstream_cache_status always;
      ${edge}
    }`;
  await writeFile(file, configuration);
  await copyFile(JS, join(folder, 'nginx-edge.js'));
  await writeFile(join(folder, 'edge-keys.conf'), `js_var $edge_keys "${edgeKeys}";`);
  let complaint = '';
  const child = spawn(path, ['-c', file, '-p', folder], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  child.stderr.on('data', (chunk) => {
    complaint += String(chunk);
  });
  const ended = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  });
  const url = `http://127.0.0.1:${port}`;
  const answers = () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${complaint}`);
    return fetch(url).then(
      ({ status }) => status === 404,
      () => false,
    );
  };
  await until(answers, (does) => does);
  return url;
}
