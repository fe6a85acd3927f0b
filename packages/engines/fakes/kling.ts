import { randomInt } from 'node:crypto';
import { createFakeCallbacks } from './fake-callbacks.ts';
import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import { judgeNewOrder, judgeOlderOrder } from './kling-orders.ts';

const KEY = 'kling-fake-key-0123456789';
const fault = (code: number, message: string) => ({ code, message, request_id: 'fake-request' });
const BUSY = fault(1302, 'Too frequent requests to the API.');
const TROUBLES: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, fault(1303, 'parallel task over resource pack limit')] },
  busyfor: { counted: false, answer: [429, BUSY, { 'retry-after': '1' }] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: { counted: false, answer: [429, fault(1102, 'Resource pack depleted or expired.')] },
  arrears: { counted: false, answer: [429, fault(1101, 'Account in arrears.')] },
  account: { counted: false, answer: [429, fault(1100, 'Account exception.')] },
  noaccess: { counted: false, answer: [403, fault(1103, 'No access to the requested resource.')] },
  listed: { counted: false, answer: [429, fault(1304, 'The IP address is not on the whitelist.')] },
  invalid: { counted: false, answer: [400, fault(1201, 'prompt is too short')] },
  content: { counted: false, answer: [400, fault(1301, 'The prompt triggers the content safety policy.')] },
  /** A refusal with HTTP 200. */
  quiet: { counted: false, answer: [200, fault(1301, 'The prompt triggers the content safety policy.')] },
  /** An internal error with HTTP 200, as in the older generation. */
  soft: { counted: true, answer: [200, fault(5001, 'Server temporarily unavailable')] },
  maintenance: { counted: false, answer: [503, fault(5001, 'Server temporarily unavailable')] },
  internal: { counted: true, answer: [500, fault(5000, 'Internal server error')] },
};

const FAILURES: Readonly<Record<string, string>> = {
  content: 'Failure to pass the risk control system',
  broken: 'The picture could not be made',
};

/**
 * Opens a fake of both generations of Kling's interface, from its reference. The newer one has the model in the path,
 * the older in the body.
 */
export async function openFakeKling(): Promise<FakeUpstream> {
  const jobs = createFakeJobs(TROUBLES);
  const callbacks = createFakeCallbacks();
  /** Jobs by our own id, which is unique in an account. */
  const external = new Map<string, FakeJob>();
  const misplacedKeys: string[] = [];
  const server = await openFakeServer(answer);

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, query, headers, reply } = exchange;
    const file = /^\/files\/([^/]+)/.exec(path);
    if (file !== null) {
      if (headers.authorization !== undefined) misplacedKeys.push(path);
      const job = jobs.jobs.get(file[1] ?? '');
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    if (headers.authorization !== `Bearer ${KEY}`) return reply(401, fault(1002, 'Authorization is invalid'));
    if (method === 'GET' && path === '/tasks') return list(exchange, query);
    const older = /^\/v1\/((?:images|videos)\/[a-z0-9-]+)(?:\/([^/]+))?$/.exec(path);
    const [, call = '', id] = older ?? [];
    if (method === 'GET' && id !== undefined) return readOlder(exchange, decodeURIComponent(id));
    if (method !== 'POST') return reply(404, fault(1202, 'The requested method does not exist'));
    const json = exchange.json;
    if (typeof json !== 'object' || json === null) return reply(400, fault(1200, 'The body is no JSON object'));
    const body = json as Record<string, unknown>;
    const judged = older === null ? judgeNewOrder(path.slice(1), body) : judgeOlderOrder(call, body);
    if ('fault' in judged) return reply(judged.status, fault(judged.code, judged.fault));
    create(exchange, judged.prompt, judged.input, judged.externalId, older !== null);
  }

  function create(
    exchange: Exchange,
    prompt: string,
    input: FakeJob['input'],
    externalId: string | undefined,
    isOlder: boolean,
  ): undefined {
    if (externalId !== undefined && external.has(externalId)) {
      return exchange.reply(400, fault(1201, 'external_task_id already exists'));
    }
    const known = new Set(jobs.jobs.keys());
    const id = () =>
      `8936${String(randomInt(10_000_000)).padStart(7, '0')}${String(randomInt(10_000_000)).padStart(7, '0')}`;
    const job = jobs.take(exchange, prompt, input, id);
    const made = job ?? [...jobs.jobs.values()].find((one) => !known.has(one.id));
    if (made !== undefined && externalId !== undefined) external.set(externalId, made);
    if (job === null) return undefined;
    const { callback_url: url, options } = exchange.json as {
      callback_url?: string;
      options?: { callback_url?: string };
    };
    callbacks.promise(job, isOlder ? url : options?.callback_url, (state) => {
      const { status } = standing(job, state, isOlder ? 'succeed' : 'succeeded');
      return { body: isOlder ? { task_id: job.id, task_status: status } : { id: job.id, status } };
    });
    const data = isOlder
      ? { task_id: job.id, task_status: 'submitted', task_info: { external_task_id: externalId } }
      : { id: job.id, status: 'submitted', create_time: 1, update_time: 1, external_id: externalId };
    exchange.reply(200, { code: 0, message: 'SUCCEED', request_id: 'fake-request', data });
  }

  function list(exchange: Exchange, query: URLSearchParams): undefined {
    const [ids, externalIds] = [query.get('task_ids'), query.get('external_task_ids')];
    if ((ids === null) === (externalIds === null)) {
      return exchange.reply(400, fault(1201, 'task_ids or external_task_ids, and not both'));
    }
    const wanted = (ids ?? externalIds ?? '').split(',');
    if (wanted.length > 20) return exchange.reply(400, fault(1201, 'at most 20 ids'));
    const data = [];
    for (const id of wanted) {
      const job = ids === null ? known(external.get(id)) : jobs.jobs.get(id);
      if (job === undefined) continue;
      const state = ids === null ? 'queued' : jobs.poll(exchange, job);
      if (state === null) return undefined;
      const { status, message, files } = standing(job, state, 'succeeded');
      const outputs = files.map((url) => ({ type: 'video', id: '1', url, duration: '5.041' }));
      data.push({ id: job.id, status, message, create_time: 1, update_time: 2, outputs, billing: [] });
    }
    exchange.reply(200, { code: 0, message: 'SUCCEED', request_id: 'fake-request', data });
  }

  function readOlder(exchange: Exchange, id: string): undefined {
    const ours = known(external.get(id));
    const job = ours ?? jobs.jobs.get(id);
    if (job === undefined) return exchange.reply(400, fault(1201, 'Task not found by id/external id'));
    const state = ours === undefined ? jobs.poll(exchange, job) : 'queued';
    if (state === null) return;
    const { status, message, files } = standing(job, state, 'succeed');
    const images = files.map((url, index) => ({ index, url }));
    const result = files.length === 0 ? {} : { task_result: { images } };
    const data = { task_id: job.id, task_status: status, task_status_msg: message, created_at: 1, ...result };
    exchange.reply(200, { code: 0, message: 'SUCCEED', request_id: 'fake-request', data });
  }

  /** Returns a job unless it was forgotten; a forgotten one is unknown by both ids. */
  function known(job: FakeJob | undefined): FakeJob | undefined {
    return job !== undefined && jobs.jobs.has(job.id) ? job : undefined;
  }

  function standing(job: FakeJob, state: 'queued' | 'running' | 'over', success: string) {
    if (state === 'queued') return { status: 'submitted', message: '', files: [] };
    if (state === 'running') return { status: job.words.odd ?? 'processing', message: '', files: [] };
    const failure = FAILURES[job.words.end ?? ''];
    if (failure !== undefined) return { status: 'failed', message: failure, files: [] };
    const files = job.words.end === 'nothing' ? [] : [`${server.url}/files/${job.id}/0.png`];
    return { status: success, message: '', files };
  }

  const { jobs: made, counts, forget } = jobs;
  const facts = { key: KEY, jobs: made, counts, uploads: new Map(), misplacedKeys, callbacks: callbacks.made, forget };
  return { ...server, ...facts };
}
