import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { diagnosePublicAddress } from './public-address.ts';

const DAY_MS = 24 * 60 * 60_000;

test('the public address must answer by https with a certificate that is valid for two weeks', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'darkroom-address-'));
  t.after(() => rm(directory, { recursive: true }));
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => join(directory, name)) as [string, string];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-keyout', key, '-out', cert];
  execFileSync('openssl', [...made, ...subject], { stdio: 'ignore' });
  let status = 200;
  const pem = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  const server = createServer(pem, ({ url }, response) => response.writeHead(url === '/healthz' ? status : 404).end());
  await new Promise<void>((resolve) => server.listen(0, resolve));
  t.after(() => server.close());
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  const look = async (address: string | null, { now = Date.now(), ca = pem.cert as string | undefined } = {}) =>
    await diagnosePublicAddress(address, now, ca);

  const { status: good, found } = await look(url);
  assert.deepEqual([good, found], ['ok', `${url} answers; its certificate is valid for 29 days`]);
  assert.equal((await look(url, { now: Date.now() + 20 * DAY_MS })).status, 'warning');
  assert.match((await diagnosePublicAddress(url, Date.now())).found, /cannot be reached from here: .*certificate/);
  status = 502;
  assert.match((await look(url)).found, /healthz answers 502/);
  for (const address of [null, 'http://localhost:1']) assert.equal((await look(address)).status, 'failed');
});
