import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * An upstream with OpenAI's images API: `node upstream.mjs PORT FORM DELAY_MS PICTURE…`. It answers its pictures in turn
 * after the delay, in the form `b64_json` or `url`.
 */
const [port, form, delay, ...paths] = process.argv.slice(2);
const origin = `http://127.0.0.1:${port}`;
const pictures = await Promise.all(paths.map((path) => readFile(path)));
const answers = pictures.map((picture, place) => {
  const result = form === 'url' ? { url: `${origin}/pictures/${place}.png` } : { b64_json: picture.toString('base64') };
  return Buffer.from(JSON.stringify({ created: 1_795_000_000, data: [result] }));
});
let turn = 0;

// It closes no connection that a gateway on a stalled machine is about to use.
createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume().once('end', async () => {
    if (request.method === 'POST') {
      if (delay !== '0') await sleep(Number(delay));
      return send(response, 'application/json', answers[turn++ % answers.length]);
    }
    const picture = pictures[Number(/^\/pictures\/(\d+)\.png$/.exec(request.url)?.[1])];
    if (picture !== undefined) return send(response, 'image/png', picture);
    send(response, 'application/json', JSON.stringify({ data: [{ id: 'gpt-image-2' }] }));
  });
}).listen(Number(port), '127.0.0.1');

function send(response, type, body) {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
}
