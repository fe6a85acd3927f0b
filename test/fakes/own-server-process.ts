import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { solidPng } from '@darkroom-service/testing';

/**
 * A program that behaves like ComfyUI, or like a server with OpenAI's images interface, as far as one who starts, asks
 * and stops it can see: it answers 503 until it is loaded, and works on one order at a time. It appends what happened
 * to the file of `OWN_LOG`, and a prompt such as `a fox [[crash once]]` brings trouble.
 */
const { OWN_LOG = '', OWN_API = '', OWN_KEY, OWN_PORT = '' } = process.env;
const note = (...words: unknown[]) => appendFileSync(OWN_LOG, `${JSON.stringify(words)}\n`);
const isDeaf = process.argv.includes('--deaf');
const origin = `http://127.0.0.1:${OWN_PORT}`;
let loaded = false;

note('start', process.pid, Object.keys(process.env).sort(), process.cwd());
process.on('SIGTERM', () => {
  note('end', process.pid);
  if (!isDeaf) process.exit(0);
});

interface Graph {
  readonly [node: string]: { readonly class_type: string; readonly inputs: Readonly<Record<string, unknown>> };
}
interface Job {
  readonly prompt: string;
  readonly size: readonly [number, number];
  state: 'running' | 'success' | 'interrupted';
}
const jobs = new Map<string, Job>();

createServer((request, response) => {
  answer(request, response).catch((error: unknown) => reply(response, 500, { error: String(error) }));
}).listen(Number(OWN_PORT), '127.0.0.1', () => note('listen', process.pid));
console.log('loading the model');
await pause(300);
loaded = true;

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const { pathname, searchParams } = new URL(url, origin);
  if (!loaded) return reply(response, 503, { error: 'loading' });
  if (pathname === '/health') return reply(response, 204);
  const call = `${method} ${pathname.replace(/^\/history\/.*/, '/history')}`;
  if (call === 'GET /file') {
    note('file', process.pid);
    // Longer than an idle server of the tests lives.
    await pause(1500);
    const [width = 8, height = 8] = (searchParams.get('size') ?? '').split('x').map(Number);
    response.writeHead(200, { 'content-type': 'image/png' }).end(picture(width, height));
  } else if (OWN_API === 'comfyui') await comfy(call, pathname, request, response);
  else await images(call, request, response);
}

async function images(call: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (call !== 'POST /v1/images/generations') return reply(response, 404, { error: { message: 'no such path' } });
  if (request.headers.authorization !== `Bearer ${OWN_KEY}`)
    return reply(response, 401, { error: { message: 'wrong key' } });
  const { model, prompt, size } = (await json(request)) as Readonly<Record<string, string>>;
  note('order', process.pid, model, prompt, size);
  await trouble(String(prompt));
  const [width = 8, height = 8] = String(size).split('x').map(Number);
  const made = String(prompt).includes('[[file]]')
    ? { url: `${origin}/file?size=${size}` }
    : { b64_json: picture(width, height).toString('base64') };
  reply(response, 200, { data: [made] });
}

async function comfy(call: string, path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const id = path.split('/').at(-1) ?? '';
  const job = jobs.get(id);
  const running = [...jobs].filter(([, { state }]) => state === 'running').map(([one]) => [0, one, {}, {}, []]);
  switch (call) {
    case 'GET /prompt':
      return reply(response, 200, { exec_info: { queue_remaining: running.length } });
    case 'POST /prompt': {
      const { prompt: graph, prompt_id: given } = (await json(request)) as { prompt: Graph; prompt_id: string };
      void run(given, graph);
      return reply(response, 200, { prompt_id: given, number: 1, node_errors: {} });
    }
    case 'GET /queue':
      return reply(response, 200, { queue_running: running, queue_pending: [] });
    case 'POST /interrupt':
      note('interrupt', process.pid);
      for (const one of jobs.values()) if (one.state === 'running') one.state = 'interrupted';
      return reply(response, 200, {});
    case 'GET /history': {
      if (job === undefined || job.state === 'running') return reply(response, 200, {});
      const images = [{ filename: `${id}.png`, subfolder: '', type: 'output' }];
      const messages = [['execution_interrupted', {}]];
      const status = job.state === 'success' ? { status_str: 'success' } : { status_str: 'error', messages };
      return reply(response, 200, { [id]: { prompt: [0, id, {}], outputs: { 9: { images } }, status } });
    }
    case 'GET /view': {
      note('file', process.pid);
      const named = new URL(request.url ?? '', origin).searchParams.get('filename') ?? '';
      const size = jobs.get(named.replace('.png', ''))?.size ?? [8, 8];
      response.writeHead(200, { 'content-type': 'image/png' }).end(picture(...size));
      return;
    }
    default:
      reply(response, 404, {});
  }
}

async function run(id: string, graph: Graph): Promise<void> {
  const nodes = Object.values(graph);
  const text = nodes.map(({ inputs }) => inputs.text).find((value) => typeof value === 'string' && value !== '');
  const { width, height } = nodes.find(({ class_type: type }) => type === 'EmptyLatentImage')?.inputs ?? {};
  const job: Job = { prompt: String(text), size: [Number(width), Number(height)], state: 'running' };
  jobs.set(id, job);
  note('order', process.pid, job.prompt, job.size.join('x'));
  await trouble(job.prompt, () => job.state !== 'running');
  if (job.state === 'running') job.state = 'success';
}

/** `once`: only if the file of that name is there. */
async function trouble(prompt: string, isOver = () => false): Promise<void> {
  const [, what, once] = /\[\[([a-z]+)( once)?\]\]/.exec(prompt) ?? [];
  if (once !== undefined) {
    if (!existsSync(`${OWN_LOG}.once`)) return;
    rmSync(`${OWN_LOG}.once`);
  }
  while (what === 'hold' && !isOver()) await pause(20);
  if (what === 'crash') {
    console.error('RuntimeError: CUDA error: an illegal memory access was encountered');
    process.exit(1);
  }
}

function picture(width: number, height: number): Buffer {
  return solidPng({ width, height, value: 85 });
}

function reply(response: ServerResponse, status: number, body?: unknown): void {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(body === undefined ? '' : JSON.stringify(body));
}
