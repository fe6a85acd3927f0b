import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Pool } from 'undici';

/**
 * The durable floor: `node floor.mjs PORT UPSTREAM DIRECTORY`. Streams the upstream's picture to a file, flushes the
 * file, commits one row and answers in the upstream's form. The rows of one turn of the event loop share a commit.
 */
const [port, upstream, directory] = process.argv.slice(2);
const PREFIX = '"b64_json":"';
const pool = new Pool(upstream);
const database = new DatabaseSync(join(directory, 'floor.db'));
database.exec('pragma journal_mode = wal; pragma synchronous = full');
database.exec('create table pictures (id integer primary key, bytes integer not null)');
const insert = database.prepare('insert into pictures values (?, ?)');
let lastId = 0;
let waiting = [];

createServer((request, response) => {
  if (request.method === 'GET') return response.end();
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.once('end', () => {
    makePicture(Buffer.concat(chunks), ++lastId).then(
      (body) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
      },
      (error) => response.writeHead(500).end(String(error)),
    );
  });
}).listen(Number(port), '127.0.0.1');

async function makePicture(body, id) {
  const headers = { 'content-type': 'application/json' };
  const answer = await pool.request({ path: '/v1/images/generations', method: 'POST', headers, body });
  const file = await open(join(directory, `${id}.png`), 'w');
  try {
    const received = [];
    const bytes = await writeInside(answer.body, file, received);
    const whole = Buffer.concat(received);
    if (bytes > 0) {
      await keep(file, id, bytes);
      return whole;
    }
    const { pathname } = new URL(JSON.parse(whole).data[0].url);
    const picture = await pool.request({ path: pathname, method: 'GET' });
    let fetched = 0;
    for await (const chunk of picture.body) {
      await file.write(chunk);
      fetched += chunk.length;
    }
    await keep(file, id, fetched);
    return Buffer.from(JSON.stringify({ created: 0, data: [{ url: `http://127.0.0.1:${port}/${id}.png` }] }));
  } finally {
    await file.close();
  }
}

/** Writes the base64 of a picture to the file as it comes. @returns its bytes; 0 if there is none */
async function writeInside(body, file, received) {
  let rest = '';
  let isInside = false;
  let bytes = 0;
  for await (const chunk of body) {
    received.push(chunk);
    rest += chunk.latin1Slice();
    if (!isInside) {
      const start = rest.indexOf(PREFIX);
      if (start === -1) continue;
      isInside = true;
      rest = rest.slice(start + PREFIX.length);
    }
    const end = rest.indexOf('"');
    const whole = end === -1 ? rest.length - (rest.length % 4) : end;
    const decoded = Buffer.from(rest.slice(0, whole), 'base64');
    rest = rest.slice(whole);
    if (decoded.length > 0) await file.write(decoded);
    bytes += decoded.length;
  }
  return bytes;
}

/** Resolves once the file and its row are on the disk. */
async function keep(file, id, bytes) {
  await file.datasync();
  await new Promise((resolve) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ id, bytes, resolve });
  });
}

function commit() {
  const rows = waiting;
  waiting = [];
  database.exec('begin immediate');
  for (const { id, bytes } of rows) insert.run(id, bytes);
  database.exec('commit');
  for (const { resolve } of rows) resolve();
}
