import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { solidPng } from '@darkroom-service/testing';

/**
 * A program that behaves like stable-diffusion.cpp's sd-server, as far as one who starts and stops it can see: it opens
 * its port only after the model is loaded, works on one order at a time and writes each step. The file after `--plan`
 * says what goes wrong, and what happened is appended to the file of the same name with `.log`.
 */
interface Plan {
  /** What each start does; the last one is repeated. */
  readonly starts: readonly ('ok' | 'late' | 'crash' | 'port taken' | 'foreign' | 'never')[];
  readonly steps?: number;
  /** What each start tries to reach. */
  readonly calls?: { readonly host: string; readonly port: number };
}

const option = (name: string): string => process.argv[process.argv.indexOf(name) + 1] ?? '';
const planPath = option('--plan');
const plan = JSON.parse(readFileSync(planPath, 'utf8')) as Plan;
const note = (...words: unknown[]) => appendFileSync(`${planPath}.log`, `${JSON.stringify(words)}\n`);
const port = Number(option('--listen-port'));
const before = existsSync(`${planPath}.log`)
  ? readFileSync(`${planPath}.log`, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('["start"')).length
  : 0;

interface Job {
  readonly id: string;
  readonly prompt: string;
  readonly input: { readonly width?: number; readonly height?: number; readonly batch_count?: number };
  status: 'queued' | 'generating' | 'completed' | 'cancelled';
  images: string[];
}
const jobs = new Map<string, Job>();
const films = new Map<string, { readonly b64_json: string }>();

const start = plan.starts[Math.min(before, plan.starts.length - 1)];
note('start', process.pid, readdirSync(process.cwd()), Object.keys(process.env).sort(), process.argv.slice(2));
process.on('SIGTERM', () => {
  note('end', process.pid);
  process.exit(0);
});
if (plan.calls !== undefined) note('called', process.pid, await outcomeOf(plan.calls));
console.log(`[INFO ] loading model from '${option('--model')}'`);
if (start === 'crash') {
  console.log('[ERROR] ggml: failed to allocate 5368709120 bytes: out of memory');
  console.log('#0 0x00007f1 in abort () from /lib/libc.so.6');
  process.exit(3);
}
if (start === 'late') await pause(1500);
if (start === 'port taken') {
  console.log(`[ERROR] bind failed: port ${port} is in use`);
  process.exit(1);
}
if (start === 'never') await new Promise(() => setInterval(() => {}, 1000));
if (start === 'foreign') {
  const log = JSON.stringify(`${planPath}.log`);
  const notes = `if (request.method === 'POST') require('node:fs').appendFileSync(${log}, '["stolen"]\\n')`;
  const program = `require('node:http').createServer((request, response) => { ${notes}; response.end('{}'); }).listen(${port}, '127.0.0.1'); setTimeout(process.exit, 8000)`;
  spawn(process.execPath, ['-e', program], { detached: true, stdio: 'ignore' }).unref();
  await new Promise(() => setInterval(() => {}, 1000));
}

const server = createServer(async (request, response) => {
  const { url = '', method } = request;
  const answer = (status: number, body: unknown) => reply(response, status, body);
  if (url === '/v1/models') return answer(200, { data: [] });
  if (url === '/sdcpp/v1/img_gen' && method === 'POST') {
    const input = JSON.parse(await text(request));
    const id = `job_${jobs.size + 1}`;
    jobs.set(id, { id, prompt: String(input.prompt), input, status: 'queued', images: [] });
    void work();
    return answer(202, { id, kind: 'img_gen', status: 'queued' });
  }
  if (url === '/sdcpp/v1/vid_gen' && method === 'POST') {
    const { video_frames, fps, width, height } = JSON.parse(await text(request));
    note('film', process.pid, { video_frames, fps, width, height });
    const { plainFilm } = await import('@darkroom-service/testing/samples');
    const film = await plainFilm({ width, height, durationSeconds: video_frames / fps }, 'film');
    const result = { b64_json: film.toString('base64') };
    films.set('film_1', result);
    return answer(202, { id: 'film_1', kind: 'vid_gen', status: 'queued' });
  }
  const film = films.get(url.split('/').at(-1) ?? '');
  if (film !== undefined) return answer(200, { id: 'film_1', status: 'completed', result: film, error: null });
  const job = jobs.get(/^\/sdcpp\/v1\/jobs\/([^/]+)$/.exec(url)?.[1] ?? '');
  if (job === undefined) return answer(404, { error: 'job not found' });
  answer(200, {
    id: job.id,
    status: job.status,
    result: job.status === 'completed' ? { images: job.images.map((b64_json, index) => ({ index, b64_json })) } : null,
    error: null,
  });
});
server.listen(port, '127.0.0.1', () => note('listen', process.pid));

let working = false;
async function work(): Promise<void> {
  if (working) return;
  working = true;
  for (const job of jobs.values()) if (job.status === 'queued') await paint(job);
  working = false;
}

async function paint(job: Job): Promise<void> {
  job.status = 'generating';
  note('paint', process.pid, job.prompt);
  const { width = 512, height = 512, batch_count: count = 1 } = job.input;
  for (let picture = 0; picture < count; picture++) {
    for (let step = 1; step <= (plan.steps ?? 4); step++) {
      await pause(20);
      process.stdout.write(`\r  |${'='.repeat(step)}>   | ${step}/${plan.steps ?? 4} - 0.02s/it`);
      if (step === 2) await trouble(job.prompt);
    }
    const bytes = solidPng({ width, height, value: (picture * 3 + 1) * 17 });
    job.images.push(bytes.toString('base64'));
  }
  process.stdout.write('\n');
  job.status = 'completed';
}

/** What a prompt does to the server at its second step. `once`: only if the file of that name is there. */
async function trouble(prompt: string): Promise<void> {
  const [, what, once] = /\[\[([a-z]+)( once)?\]\]/.exec(prompt) ?? [];
  if (what === undefined) return;
  if (once !== undefined) {
    if (!existsSync(`${planPath}.once`)) return;
    rmSync(`${planPath}.once`);
  }
  if (what === 'hold') note('hold');
  if (what === 'hold') while (!existsSync(`${planPath}.go`)) await pause(20);
  if (what === 'hang') await new Promise(() => {});
  if (what === 'flood') for (let line = 0; line < 200_000; line++) console.log(`[DEBUG] ${'x'.repeat(100)} ${line}`);
  if (what === 'crash') {
    console.error('terminate called after throwing an instance of std::bad_alloc in /home/operator/sd/model.cpp');
    process.kill(process.pid, 'SIGABRT');
  }
}

function outcomeOf(address: { readonly host: string; readonly port: number }): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve('connected');
    });
    socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(String(code)));
  });
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
