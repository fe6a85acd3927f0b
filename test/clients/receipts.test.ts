import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTestService } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { temporaryDirectory } from '../helpers/temporary-directory.ts';
import { wholeFile } from '../helpers/whole-file.ts';
import { BYTECODE, openPython } from './python.ts';

/** The programs of docs/receipts.md, run as printed after the service has stopped. */

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/receipts.md'), 'utf8');
const directory = await temporaryDirectory('darkroom-receipts-');
const service = await startTestService(wholeFile, { service: { engines: [createSwiftEngine()] } });
const task = await service.make(service.keys.test, '/v1/images', { model_id: 'sketch', prompt: 'a fox' });
const { data } = await service.call(service.keys.test, 'GET', `/v1/images/${task.task_id}/receipt`);
const keySet = await (await fetch(`${service.url}/.well-known/jwks.json`)).text();
const picture = Buffer.from(await (await fetch(task.outputs[0]?.url ?? '')).arrayBuffer());
await service.service.stop({ now: true });

const [header, payload = '', signature] = data.jws.split('.');
const cheaper = Buffer.from(payload, 'base64url')
  .toString()
  .replace(/"charged":"[^"]*"/, '"charged":"0.00"');
const tampered = [header, Buffer.from(cheaper).toString('base64url'), signature].join('.');

for (const [language, start] of [
  ['ts', async (file: string) => [process.execPath, file]],
  ['python', async (file: string) => [(await openPython(['cryptography==48.0.0'])).path, file]],
] as const) {
  const [, program = ''] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(PAGE) ?? [];
  const file = join(directory, `verify.${language === 'ts' ? 'mts' : 'py'}`);
  const verify = async (receipt: string, bytes: Uint8Array) => {
    await Promise.all([
      writeFile(file, program),
      writeFile(join(directory, 'jwks.json'), keySet),
      writeFile(join(directory, 'receipt.jws'), receipt),
      writeFile(join(directory, 'fox.png'), bytes),
    ]);
    const [command = '', ...words] = await start(file);
    const env = { PATH: process.env.PATH, ...BYTECODE };
    const child = spawn(command, words, { cwd: directory, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code, stdout, stderr };
  };

  test(`the program in ${language} has at most 20 lines, and tells a genuine receipt and its file from others`, async () => {
    const lines = program.split('\n').filter((line) => line.trim() !== '');
    assert.ok(lines.length > 0 && lines.length <= 20, `${lines.length} lines`);
    const genuine = await verify(data.jws, picture);
    assert.deepEqual([genuine.code, genuine.stdout], [0, `${task.task_id}: ${task.cost.amount} USD\n`], genuine.stderr);
    const changed = await verify(tampered, picture);
    assert.notEqual(changed.code, 0);
    assert.match(changed.stderr, /the receipt was changed|InvalidSignature/);
    const other = await verify(data.jws, Buffer.concat([picture, Buffer.of(0)]));
    assert.notEqual(other.code, 0);
    assert.match(other.stderr, /the file is another one/);
  });
}
