import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { sentenceOfFault } from '@darkroom-service/media/process';
import { temporaryDirectory } from '../../test/helpers/temporary-directory.ts';
import { wordsOf } from './system-fault.ts';

const directory = await temporaryDirectory('darkroom-faults-');

test('an error of the file system becomes a sentence without its path, also as the cause of another', async () => {
  const error: unknown = await readFile(join(directory, 'none')).catch((reason: unknown) => reason);
  assert.ok(String(error).includes(directory), 'its own words name the path');
  for (const one of [error, new Error('could not be read', { cause: error })]) {
    const words = wordsOf(one);
    assert.match(words, /\(ENOENT\)$/);
    assert.ok(!words.includes(directory), words);
  }
});

test('errors of the embedded database say what is wrong with it', () => {
  const path = join(directory, 'some.db');
  const [first, second] = [new DatabaseSync(path), new DatabaseSync(path)];
  first.exec('create table notes (text text); begin exclusive');
  assert.throws(
    () => second.exec("insert into notes values ('late')"),
    (error) => wordsOf(error) === 'another program has locked the database',
  );
  first.exec('rollback');
  const reader = new DatabaseSync(path, { readOnly: true });
  assert.throws(
    () => reader.exec('create table more (text text)'),
    (error) => wordsOf(error) === 'the database is read-only',
  );
  assert.throws(
    () => new DatabaseSync(join(directory, 'none', 'some.db')),
    (error) => wordsOf(error) === 'the file of the database cannot be opened',
  );
  for (const database of [first, second, reader]) database.close();
});

test('an error of the network names the address that it is about', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  const [error] = await once(connect(port, '127.0.0.1'), 'error');
  assert.equal(wordsOf(error), `127.0.0.1:${port} accepts no connection (ECONNREFUSED)`);
});

test('any other error keeps its own words', () => {
  const error = new Error('the bucket does not answer');
  assert.equal(sentenceOfFault(error), null);
  assert.equal(wordsOf(error), 'the bucket does not answer');
});
