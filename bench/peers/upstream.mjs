import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An upstream that takes a second for a picture and bills each submission, and the customer's receiver of webhooks:
 * `node upstream.mjs PORT PICTURE`. It knows no idempotency keys, as most upstreams do not.
 */
const [port, pictureBase64] = process.argv.slice(2);
const picture = Buffer.from(pictureBase64, 'base64');
const TAKES_MS = 1_000;
const jobs = new Map();
/** How often each order was billed, and what its customer was told. */
const billed = {};
const told = {};

createServer((request, response) => {
  answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
}).listen(Number(port), '127.0.0.1', () => process.send('ready'));

async function answer(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
  const send = (value) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const [, room, id] = request.url.split('/');
  if (room === 'results') return response.writeHead(200, { 'content-type': 'image/png' }).end(picture);
  if (room === 'counts') return send({ billed, told });
  if (room === 'hook') {
    const { prompt, status } = body.data?.input ? { ...body.data.input, status: body.data.status } : body;
    told[prompt] = status;
    return send({});
  }
  if (request.method === 'GET') {
    const isDone = Date.now() >= jobs.get(id);
    return send({ status: isDone ? 'succeeded' : 'pending', result: `/results/${id}` });
  }
  const order = body.order ?? body.prompt;
  billed[order] = (billed[order] ?? 0) + 1;
  const job = `job-${jobs.size}`;
  jobs.set(job, Date.now() + TAKES_MS);
  if (room !== 'v1') return send({ id: job });
  // As OpenAI's images interface, for a proxy that keeps the connection open meanwhile.
  await sleep(TAKES_MS);
  send({ created: Math.floor(Date.now() / 1_000), data: [{ b64_json: pictureBase64 }] });
}
