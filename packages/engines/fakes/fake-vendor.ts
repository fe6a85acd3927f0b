import { createFakeCallbacks } from './fake-callbacks.ts';
import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import type { FakeUpstream } from './fake-upstream.ts';

export type Reply = readonly [status: number, body?: unknown, headers?: Readonly<Record<string, string>>];
type Body = Readonly<Record<string, unknown>>;

/** An order as a vendor reads it: `input` is compared with what tests expect, `prompt` tells the fake what to do. */
type ReadOrder = { readonly prompt: string; readonly input: Body } | { readonly fault: Reply };

/** The particulars of a vendor whose orders are JSON: paths, words and statuses. */
interface VendorSpec {
  readonly key: string;
  /** The path below the server that is the engine's base URL. */
  readonly base: string;
  /** Name of the header with the key, and its value. */
  readonly header: string;
  readonly credentials: (key: string) => string;
  readonly wrongKey: (given: string) => Reply;
  readonly troubles: Readonly<Record<string, Trouble>>;
  /** Returns the fields of an order that is not JSON. */
  bodyOf?(exchange: Exchange): Promise<Body>;
  /** Reads an order; null if the call places none. */
  order(call: {
    readonly method: string;
    readonly path: string;
    readonly body: Body;
    readonly headers: Exchange['headers'];
  }): ReadOrder | null;
  /** Returns the answer to a good order; it is the result at a vendor that answers with that. */
  accepted(job: FakeJob, url: string): Reply;
  /** Returns the URL that the vendor is asked to call; absent = it calls nobody. */
  callbackIn?(body: Body): unknown;
  /** Reads a call about an order; null if it is none. */
  jobOf(call: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
  }): { readonly id: string; readonly does: 'check' | 'cancel' } | null;
  standing?(job: FakeJob, state: 'queued' | 'running' | 'over', url: string): Reply;
  readonly canceled?: Reply;
  readonly noSuchOrder: Reply;
  /** Returns the order's id in a call for its file's address, at vendors that do not return it with the state. */
  file?(call: { readonly path: string; readonly query: URLSearchParams }): string | null;
  fileAnswer?(url: string): Reply;
  /** Answers free calls, for probes. */
  readonly free: (call: {
    readonly method: string;
    readonly path: string;
    readonly query: URLSearchParams;
  }) => Reply | null;
}

/** Opens a server with the vendor's interface: keys, orders with faults by words in prompts, states and files. */
export async function openFakeVendor(spec: VendorSpec): Promise<FakeUpstream> {
  const jobs = createFakeJobs(spec.troubles);
  const callbacks = createFakeCallbacks();
  const misplacedKeys: string[] = [];
  const server = await openFakeServer(answer);
  let orders = 0;

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, headers, reply, query } = exchange;
    const file = /^\/files\/([^/]+)/.exec(exchange.path);
    if (file !== null) {
      if (headers[spec.header] !== undefined) misplacedKeys.push(exchange.path);
      const job = jobs.jobs.get(decodeURIComponent(file[1] ?? ''));
      return job === undefined ? reply(404, '') : await sendFile(exchange, job.words.file ?? 'png', jobs.download(job));
    }
    const given = String(headers[spec.header] ?? '');
    if (given !== spec.credentials(spec.key)) return reply(...spec.wrongKey(given));
    const path = exchange.path.slice(spec.base.length);
    const free = spec.free({ method, path, query });
    if (free !== null) return reply(...free);
    const owner = jobs.jobs.get(spec.file?.({ path, query }) ?? '');
    if (owner !== undefined) return reply(...(spec.fileAnswer?.(addressOf(owner)) ?? spec.noSuchOrder));
    const about = spec.jobOf({ method, path, query });
    if (about !== null) return know(exchange, about);
    const body = (await spec.bodyOf?.(exchange)) ?? ((exchange.json ?? {}) as Body);
    const read = spec.order({ method, path, body, headers });
    if (read === null) return reply(404, { error: `no ${method} ${path}` });
    if ('fault' in read) return reply(...read.fault);
    const job = jobs.take(exchange, read.prompt, read.input, () => `order-${++orders}`);
    if (job === null) return;
    callbacks.promise(job, spec.callbackIn?.(body), (state) => {
      const standing = spec.standing?.(job, state, addressOf(job));
      return standing === undefined ? null : { body: standing[1] };
    });
    reply(...spec.accepted(job, addressOf(job)));
  }

  function know(
    exchange: Exchange,
    { id, does }: { readonly id: string; readonly does: 'check' | 'cancel' },
  ): undefined {
    const job = jobs.jobs.get(decodeURIComponent(id));
    if (job === undefined) return exchange.reply(...spec.noSuchOrder);
    if (does === 'cancel') {
      jobs.cancel(job);
      return exchange.reply(...(spec.canceled ?? [200, {}]));
    }
    const state = jobs.poll(exchange, job);
    if (state !== null) exchange.reply(...(spec.standing?.(job, state, addressOf(job)) ?? spec.noSuchOrder));
  }

  const addressOf = (job: FakeJob) => `${server.url}/files/${encodeURIComponent(job.id)}`;
  const { jobs: made, counts, forget } = jobs;
  const url = `${server.url}${spec.base}`;
  const facts = { jobs: made, counts, uploads: new Map(), misplacedKeys, callbacks: callbacks.made, forget };
  return { ...server, url, key: spec.key, ...facts };
}

/** Returns refusals for a rate limit without a time, with seconds, and with a date, in a vendor's words. */
export function rateLimits(status: number, body: unknown): Readonly<Record<'busy' | 'busyfor' | 'busyuntil', Trouble>> {
  const at = 'Thu, 01 Jan 2026 00:00:0';
  return {
    busy: { counted: false, answer: [status, body] },
    busyfor: { counted: false, answer: [status, body, { 'retry-after': '1' }] },
    busyuntil: { counted: false, answer: [status, body, { date: `${at}0 GMT`, 'retry-after': `${at}1 GMT` }] },
  };
}

/** Returns the text that tells the fake what to do, wherever the vendor's format has it. */
export function promptIn(value: unknown): string {
  const texts = textsIn(value);
  return texts.find((text) => text.includes('[[')) ?? texts[0] ?? '';
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
