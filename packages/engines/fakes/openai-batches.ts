import type { OpenAI } from 'openai';
import type { createFakeJobs, FakeJob } from './fake-jobs.ts';
import type { Exchange } from './fake-server.ts';
import { judgeInput } from './fake-upstream.ts';
import type { Reply } from './fake-vendor.ts';
import { type ShapeOf, text } from './input-fields.ts';
import { resultInside, squareInside } from './small-picture.ts';

type Input = Readonly<Record<string, unknown>>;
type Batch = OpenAI.Batch;

interface FakeBatches {
  /** The files that were uploaded and not deleted, by id. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Answers a call about files or jobs; false if it is neither. */
  answer(exchange: Exchange, path: string): Promise<boolean>;
}

interface Line {
  readonly custom_id: string;
  readonly method: string;
  readonly url: string;
  readonly body: Input;
}

const DAY_SECONDS = 86_400;
const CREATED = 1_763_600_000;
const fault = (message: string, param: string | null = null): Reply => [
  400,
  { error: { message, type: 'invalid_request_error', param, code: null } },
];
const missing: Reply = [
  404,
  { error: { message: 'No such object.', type: 'invalid_request_error', param: 'id', code: null } },
];
const EXPIRY = {
  anchor: { type: 'string', enum: ['created_at'], required: true },
  seconds: { type: 'integer', minimum: 3600, maximum: 2_592_000, required: true },
} as const;
const CREATE = {
  input_file_id: { ...text, required: true },
  endpoint: { type: 'string', enum: ['/v1/images/generations'], required: true },
  completion_window: { type: 'string', enum: ['24h'], required: true },
  metadata: { type: 'object' },
  output_expires_after: { type: 'object', fields: EXPIRY },
} satisfies ShapeOf<OpenAI.BatchCreateParams>;
/** Refusals of a line, by the word `end`. */
const REFUSALS: Readonly<Record<string, { readonly response: unknown; readonly error: unknown }>> = {
  content: {
    response: {
      status_code: 400,
      request_id: 'req_1',
      body: {
        error: {
          message: 'Your request was rejected by the safety system.',
          type: 'image_generation_user_error',
          param: null,
          code: 'moderation_blocked',
        },
      },
    },
    error: null,
  },
  server: {
    response: {
      status_code: 500,
      request_id: 'req_1',
      body: { error: { message: 'The server had an error.', type: 'server_error', param: null, code: null } },
    },
    error: null,
  },
  expired: {
    response: null,
    error: {
      code: 'batch_expired',
      message: 'This request could not be executed before the completion window expired.',
    },
  },
};

/** Errors of a whole job, by the word `end`. */
const FAILURES: Readonly<Record<string, OpenAI.BatchError>> = {
  invalid: { code: 'invalid_json_line', message: 'This line is not parseable.', line: 1 },
  full: { code: 'token_limit_exceeded', message: 'Enqueued token limit reached. Please try again later.', line: null },
  unpaid: { code: 'billing_hard_limit_reached', message: 'Billing hard limit has been reached.', line: null },
};

/** Creates OpenAI's Batch API with its files, from the types of its client; jobs of one order. */
export function createFakeBatches(
  jobs: ReturnType<typeof createFakeJobs>,
  judge: (input: Input) => Promise<Reply | null>,
): FakeBatches {
  const files = new Map<string, Buffer>();
  const lines = new Map<
    string,
    { readonly line: Line; readonly batch: OpenAI.BatchCreateParams; readonly refused: Reply | null }
  >();
  let uploads = 0;

  async function upload({ bytes, headers, reply }: Exchange): Promise<undefined> {
    const type = String(headers['content-type'] ?? '');
    if (!type.startsWith('multipart/form-data')) return reply(...fault('Expected multipart/form-data.'));
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
    const file = form.get('file');
    const names = ['file', 'purpose', 'expires_after[anchor]', 'expires_after[seconds]'];
    const unknown = [...form.keys()].find((name) => !names.includes(name));
    const seconds = Number(form.get('expires_after[seconds]') ?? 30 * DAY_SECONDS);
    const isRight = form.get('purpose') === 'batch' && seconds >= 3600 && seconds <= 30 * DAY_SECONDS;
    if (unknown !== undefined || !isRight || !(file instanceof File) || !file.name.endsWith('.jsonl'))
      return reply(...fault(`Invalid file: ${unknown ?? 'purpose, expiry or name'}`, 'file'));
    const id = `file-${++uploads}`;
    files.set(id, Buffer.from(await file.arrayBuffer()));
    reply(200, {
      id,
      object: 'file',
      bytes: file.size,
      created_at: CREATED,
      filename: file.name,
      purpose: 'batch',
      status: 'processed',
    });
  }

  async function create(exchange: Exchange): Promise<undefined> {
    const { json, reply } = exchange;
    const input = (json ?? {}) as Input;
    const [wrong] = judgeInput(CREATE, input);
    if (wrong !== undefined) return reply(...fault(wrong.message, wrong.field));
    const batch = input as unknown as OpenAI.BatchCreateParams;
    const entries = Object.entries(batch.metadata ?? {});
    if (
      entries.length > 16 ||
      entries.some(([name, value]) => name.length > 64 || typeof value !== 'string' || value.length > 512)
    )
      return reply(...fault('Invalid metadata.', 'metadata'));
    const file = files.get(batch.input_file_id);
    if (file === undefined) return reply(...fault('No such File object.', 'input_file_id'));
    const [line, second] = file
      .toString()
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one) as Line);
    if (line === undefined || second !== undefined || line.method !== 'POST' || line.url !== batch.endpoint)
      return reply(...fault('The file does not have one line for this endpoint.', 'input_file_id'));
    const id = `batch_${lines.size + 1}`;
    const known = { line, batch, refused: await judge(line.body) };
    const job = jobs.take(exchange, String(line.body.prompt), line.body, () => {
      lines.set(id, known);
      return id;
    });
    if (job !== null) {
      if (!lines.has(job.id)) lines.set(job.id, known);
      reply(200, standing(job, 'validating'));
    }
  }

  /** Returns the state of an ended job, with its files. */
  function ended(job: FakeJob): Partial<Batch> & Pick<Batch, 'status'> {
    const { end = 'ok' } = job.words;
    if (job.canceled && end !== 'late') return { status: 'cancelled' };
    const failure = FAILURES[end];
    if (failure !== undefined) return { status: 'failed', errors: { object: 'list', data: [failure] } };
    if (end === 'silence') return { status: 'expired' };
    if (end === 'empty') return { status: 'completed' };
    const status = job.canceled ? 'cancelled' : end === 'expired' ? 'expired' : 'completed';
    const isRefused = end in REFUSALS || (lines.get(job.id)?.refused ?? null) !== null;
    return { status, ...(isRefused ? { error_file_id: `errors-${job.id}` } : { output_file_id: `output-${job.id}` }) };
  }

  function standing(job: FakeJob, status: Batch['status'], more: Partial<Batch> = {}): Batch {
    const { batch } = lines.get(job.id) ?? {};
    return {
      id: job.id,
      object: 'batch',
      endpoint: batch?.endpoint ?? '',
      input_file_id: batch?.input_file_id ?? '',
      completion_window: '24h',
      created_at: Math.floor(Date.now() / 1000),
      metadata: batch?.metadata ?? null,
      status,
      ...more,
    };
  }

  async function content(job: FakeJob): Promise<string> {
    const { end = 'ok', file, side } = job.words;
    const { line, refused } = lines.get(job.id) ?? {};
    const told = { id: `req-${job.id}`, custom_id: end === 'foreign' ? 'another' : line?.custom_id };
    if (refused)
      return `${JSON.stringify({ ...told, response: { status_code: refused[0], request_id: 'req_1', body: refused[1] }, error: null })}\n`;
    const failure = REFUSALS[end];
    if (failure !== undefined) return `${JSON.stringify({ ...told, ...failure })}\n`;
    jobs.download(job);
    const data =
      end === 'nothing'
        ? []
        : [{ b64_json: side === undefined ? (await resultInside(file)).data : await squareInside(Number(side)) }];
    const body = { created: CREATED, data, usage: { input_tokens: 50, output_tokens: 1056, total_tokens: 1106 } };
    return `${JSON.stringify({ ...told, response: { status_code: 200, request_id: 'req_1', body }, error: null })}\n`;
  }

  async function know(exchange: Exchange, job: FakeJob, does: string): Promise<undefined> {
    const { method, reply } = exchange;
    if (does === '/cancel' && method === 'POST') {
      if (jobs.isOver(job) && !job.canceled) return reply(...fault('Cannot cancel a job that has ended.'));
      jobs.cancel(job);
      return reply(200, standing(job, 'cancelling'));
    }
    if (does !== '' || method !== 'GET') return reply(...missing);
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    if (state !== 'over') {
      const odd = job.words.odd as Batch['status'] | undefined;
      return reply(200, standing(job, odd ?? (state === 'queued' ? 'validating' : 'in_progress')));
    }
    const { status, ...more } = ended(job);
    reply(200, standing(job, status, more));
  }

  function list({ query, reply }: Exchange): undefined {
    const limit = Number(query.get('limit') ?? 20);
    if (limit < 1 || limit > 100) return reply(...fault('Invalid limit.', 'limit'));
    const all = [...jobs.jobs.values()].filter(({ id }) => lines.has(id)).reverse();
    const from = all.findIndex(({ id }) => id === query.get('after')) + 1;
    const data = all.slice(from, from + limit).map((job) => standing(job, 'in_progress'));
    reply(200, {
      object: 'list',
      data,
      first_id: data[0]?.id,
      last_id: data.at(-1)?.id,
      has_more: from + limit < all.length,
    });
  }

  return {
    files,
    async answer(exchange, path) {
      const { method, reply } = exchange;
      const [, kind, id = '', does = ''] = /^\/(files|batches)(?:\/([^/]+)(\/[a-z]+)?)?$/.exec(path) ?? [];
      if (kind === undefined) return false;
      const isWhole = id === '';
      if (kind === 'files' && isWhole && method === 'POST') await upload(exchange);
      else if (kind === 'batches' && isWhole && method === 'POST') await create(exchange);
      else if (kind === 'batches' && isWhole && method === 'GET') list(exchange);
      else if (kind === 'files' && method === 'DELETE') {
        if (files.delete(id)) reply(200, { id, object: 'file', deleted: true });
        else reply(...missing);
      } else {
        const job = jobs.jobs.get(id.replace(/^(?:output|errors)-/, ''));
        if (job === undefined) reply(...missing);
        else if (kind === 'batches') await know(exchange, job, does);
        else if (does === '/content') reply(200, await content(job), { 'content-type': 'application/octet-stream' });
        else reply(...missing);
      }
      return true;
    },
  };
}
