import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import sharp from 'sharp';
import { type Graph, inputOf, NODES, refusal, validateGraph } from './comfyui-nodes.ts';
import { sendFile } from './fake-files.ts';
import { createFakeJobs, type FakeJob, type Trouble } from './fake-jobs.ts';
import { type Exchange, openFakeServer } from './fake-server.ts';
import type { FakeUpstream } from './fake-upstream.ts';
import { withChunk } from './png-chunk.ts';
import { createFakeSockets } from './web-sockets.ts';

/** Key that a proxy in front of the server requires; ComfyUI itself has no keys. */
const KEY = 'comfy-key-of-the-proxy';
const BUSY = { error: 'too many requests' };
const AT_THE_PROXY: Readonly<Record<string, Trouble>> = {
  busy: { counted: false, answer: [429, BUSY] },
  busyfor: { counted: false, answer: [429, BUSY, { 'retry-after': '1' }] },
  busyuntil: {
    counted: false,
    answer: [429, BUSY, { date: 'Thu, 01 Jan 2026 00:00:00 GMT', 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }],
  },
  billing: { counted: false, answer: [402, { error: 'no credit left' }] },
  invalid: {
    counted: false,
    answer: [400, refusal('prompt_outputs_failed_validation', 'Prompt outputs failed validation', 'too short', {})],
  },
};
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const FIELDS = ['prompt', 'prompt_id', 'client_id', 'number', 'front', 'extra_data', 'partial_execution_targets'];
/** Colours of the pictures of one order, in turn. */
export const COLOURS = ['#c03028', '#28a048', '#2848c0', '#d8b020'] as const;

export interface FakeComfy extends FakeUpstream {
  /** Client ids that have connected by WebSocket. */
  readonly clients: ReadonlySet<string>;
  readonly interrupts: readonly unknown[];
  /** Returns the graph of the latest order. */
  readonly lastGraph: () => Graph;
}

type Entry = [number, string, Graph, object, string[]];

/**
 * Opens a fake of ComfyUI, from its sources, behind a proxy that requires a key. `fake-jobs.ts` reads the instructions.
 * @param isOld without the jobs API of 2026
 */
export async function openFakeComfy({ isOld = false } = {}): Promise<FakeComfy> {
  const jobs = createFakeJobs(AT_THE_PROXY);
  const entries = new Map<string, { readonly entry: Entry; readonly client: string }>();
  const uploads = new Map<string, Buffer>();
  const misplacedKeys: string[] = [];
  const interrupts: unknown[] = [];
  // ComfyUI treats a request that names another origin as one of a page in a browser.
  const isForeign = (headers: IncomingHttpHeaders) =>
    headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  const sockets = createFakeSockets(({ headers }) => headers.authorization === `Bearer ${KEY}` && !isForeign(headers));
  const server = await openFakeServer(answer, sockets.upgrade);
  let lastGraph: Graph = {};

  async function answer(exchange: Exchange): Promise<undefined> {
    const { method, path, headers, reply } = exchange;
    if (headers.authorization !== `Bearer ${KEY}`) return reply(401, { error: 'who are you?' });
    if (isForeign(headers)) return reply(403);
    const history = /^\/history\/([^/]+)$/.exec(path);
    const job = /^\/api\/jobs\/([^/]+)\/cancel$/.exec(path);
    if (job !== null && !isOld) return cancelJob(exchange, job[1] ?? '');
    const type = /^\/object_info\/([^/]+)$/.exec(path)?.[1];
    if (type !== undefined)
      return reply(200, type in NODES ? { [type]: { output_node: NODES[type]?.isOutput === true } } : {});
    const call = `${method} ${history === null ? path : '/history'}`;
    switch (call) {
      case 'POST /prompt':
        return take(exchange);
      case 'GET /prompt':
        return reply(200, { exec_info: { queue_remaining: listOf('queued').length + listOf('running').length } });
      case 'GET /history':
        return notifyHistory(exchange, history?.[1] ?? '');
      case 'GET /queue':
        return reply(200, { queue_running: listOf('running'), queue_pending: listOf('queued') });
      case 'POST /queue':
        return drop(exchange);
      case 'POST /interrupt':
        return interrupt(exchange);
      case 'POST /upload/image':
        return await keepFile(exchange);
      case 'GET /view':
      case 'GET /view/moved':
        return await view(exchange);
      default:
        return reply(404, '404: Not Found');
    }
  }

  function take(exchange: Exchange): undefined {
    const { json, reply } = exchange;
    if (typeof json !== 'object' || json === null) return reply(500, '500 Internal Server Error');
    const body = json as Record<string, unknown>;
    const strange = Object.keys(body).find((field) => !FIELDS.includes(field));
    if (strange !== undefined) throw new Error(`no such field: ${strange}`);
    const id = body.prompt_id ?? randomUUID();
    if (typeof id !== 'string' || !UUID.test(id)) {
      return reply(400, refusal('invalid_prompt_id', 'Prompt ID must be a UUID', String(id), {}));
    }
    if (body.prompt === undefined) return reply(400, refusal('no_prompt', 'No prompt provided', '', {}));
    const graph = body.prompt as Graph;
    const validated = validateGraph(graph, new Set(uploads.keys()));
    if ('refused' in validated) return reply(400, validated.refused);
    lastGraph = graph;
    const input = inputOf(graph);
    const client = String(body.client_id ?? '');
    const number = entries.size;
    const words = jobs.take(exchange, String(input.prompt), input, () => id);
    const job = words ?? [...jobs.jobs.values()].find((one) => one.input === input);
    if (job !== undefined) {
      const facts = { client_id: client, create_time: 1_763_600_000_000 };
      const entry: Entry = [number, job.id, graph, facts, [...validated.outputs]];
      entries.set(job.id, { entry, client });
    }
    if (words !== null) reply(200, { prompt_id: words.id, number, node_errors: validated.nodeErrors });
  }

  function stateOf(job: FakeJob): 'queued' | 'running' | 'over' {
    const [queue, run] = [Number(job.words.queue ?? 0), Number(job.words.run ?? 0)];
    if (job.canceled || job.polls > queue + run || (queue === 0 && run === 0)) return 'over';
    return job.polls <= queue && queue > 0 ? 'queued' : 'running';
  }

  function listOf(state: 'queued' | 'running'): Entry[] {
    return [...jobs.jobs.values()].flatMap((job) => {
      const found = entries.get(job.id);
      return found !== undefined && stateOf(job) === state ? [found.entry] : [];
    });
  }

  function notifyHistory(exchange: Exchange, id: string): undefined {
    const { reply } = exchange;
    const job = jobs.jobs.get(id);
    const known = entries.get(id);
    if (job === undefined || known === undefined || job.words.end === 'gone') return reply(200, {});
    const state = jobs.poll(exchange, job);
    if (state === null) return;
    if (state === 'over') {
      sockets.send(known.client, { type: 'executing', data: { node: null, prompt_id: id } });
      return job.canceled && job.polls <= Number(job.words.queue ?? 0)
        ? reply(200, {})
        : reply(200, { [id]: { prompt: known.entry, ...outcomeOf(job, known.entry) } });
    }
    if (state === 'running') reportProgress(job, known);
    return job.words.odd !== undefined && state === 'running'
      ? reply(200, {
          [id]: { prompt: known.entry, outputs: {}, status: { status_str: job.words.odd, completed: false } },
        })
      : reply(200, {});
  }

  function reportProgress(job: FakeJob, { entry, client }: { entry: Entry; client: string }): void {
    const [first, second, ...others] = Object.keys(entry[2]);
    const share = (job.polls - Number(job.words.queue ?? 0)) / (Number(job.words.run ?? 0) + 1);
    const node = (id: string | undefined, state: string, value: number) =>
      id === undefined ? {} : { [id]: { value, max: 100, state, node_id: id, prompt_id: job.id } };
    const nodes = { ...node(first, 'finished', 100), ...node(second, 'running', Math.round(share * 100)) };
    sockets.send(client, { type: 'progress_state', data: { prompt_id: job.id, nodes } });
    sockets.send(client, {
      type: 'progress_state',
      data: { prompt_id: 'of another', nodes: node(others[0], 'finished', 1) },
    });
  }

  function outcomeOf(job: FakeJob, [, , graph, , executed]: Entry): object {
    const savesNothing = executed.every((id) => graph[id]?.class_type === 'PreviewImage');
    const end = job.canceled ? 'interrupted' : (job.words.end ?? (savesNothing ? 'preview' : 'ok'));
    const files = Array.from({ length: Number(job.input.batch ?? 1) }, (_, index) => ({
      filename: `${job.id}_${index}_.png`,
      subfolder: '',
      type: 'output',
    }));
    const success = {
      status_str: 'success',
      completed: true,
      messages: [['execution_success', { prompt_id: job.id }]],
    };
    const failed = (name: string, facts: object) => ({
      outputs: {},
      status: {
        status_str: 'error',
        completed: false,
        messages: [
          ['execution_start', {}],
          [name, facts],
        ],
      },
    });
    switch (end) {
      case 'interrupted':
        return failed('execution_interrupted', {
          prompt_id: job.id,
          node_id: '3',
          node_type: 'KSampler',
          executed: [],
        });
      case 'memory':
        return failed('execution_error', {
          node_type: 'KSampler',
          exception_type: 'torch.OutOfMemoryError',
          exception_message: 'CUDA out of memory. Tried to allocate 2.00 GiB',
        });
      case 'nothing':
        return { outputs: { 9: { text: ['no picture'] } }, status: success };
      case 'preview': {
        const preview = { filename: `${job.id}_7_.png`, subfolder: '', type: 'temp' };
        return { outputs: { 8: { images: [preview] } }, status: success };
      }
      case 'gif':
        return { outputs: { 8: { gifs: files, format: 'video/h264-mp4' } }, status: success };
      default: {
        const preview = { filename: 'preview.png', subfolder: '', type: 'temp' };
        return { outputs: { 8: { images: [preview] }, 9: { images: files } }, status: success };
      }
    }
  }

  function drop({ json, reply }: Exchange): undefined {
    const { delete: ids, clear } = (json ?? {}) as { delete?: string[]; clear?: boolean };
    if (clear !== undefined) throw new Error('nobody may empty the queue of others');
    for (const id of ids ?? []) {
      const job = jobs.jobs.get(id);
      if (job !== undefined && stateOf(job) === 'queued') {
        jobs.cancel(job);
        entries.delete(id);
      }
    }
    reply(200);
  }

  function interrupt({ json, reply }: Exchange): undefined {
    interrupts.push(json);
    const { prompt_id: id } = (json ?? {}) as { prompt_id?: string };
    const job = id === undefined ? undefined : jobs.jobs.get(id);
    if (job !== undefined && stateOf(job) === 'running') jobs.cancel(job);
    reply(200);
  }

  function cancelJob({ reply }: Exchange, id: string): undefined {
    const job = jobs.jobs.get(id);
    const state = job === undefined ? 'over' : stateOf(job);
    if (job !== undefined && state !== 'over') jobs.cancel(job);
    if (state === 'queued') entries.delete(id);
    reply(200, { cancelled: state !== 'over' });
  }

  async function keepFile({ bytes, headers, reply }: Exchange): Promise<undefined> {
    const type = headers['content-type'] ?? '';
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
      .formData()
      .catch(() => null);
    const image = form?.get('image');
    if (!(image instanceof File)) return reply(400);
    const subfolder = String(form?.get('subfolder') ?? '');
    uploads.set(subfolder === '' ? image.name : `${subfolder}/${image.name}`, Buffer.from(await image.arrayBuffer()));
    reply(200, { name: image.name, subfolder, type: 'input' });
  }

  async function view(exchange: Exchange): Promise<undefined> {
    const { query, path, reply } = exchange;
    if (path === '/view/moved') return await sendFile(exchange, 'png', 1);
    const [id = '', index = '0'] = (query.get('filename') ?? '').split('_');
    const job = jobs.jobs.get(id);
    if (job === undefined) return reply(404);
    const downloads = jobs.download(job);
    if (job.words.file !== undefined) return await sendFile(exchange, job.words.file, downloads);
    const { width, height } = job.input;
    const background = COLOURS[Number(index) % 4] ?? '#888';
    const picture = sharp({ create: { width: Number(width), height: Number(height), channels: 3, background } });
    const prompt = JSON.stringify(entries.get(id)?.entry[2] ?? {});
    reply(200, withChunk(await picture.png().toBuffer(), 'tEXt', `prompt\0${prompt}`), { 'content-type': 'image/png' });
  }

  return {
    ...server,
    async stop() {
      sockets.closeAll();
      await server.stop();
    },
    key: KEY,
    jobs: jobs.jobs,
    counts: jobs.counts,
    uploads,
    misplacedKeys,
    forget: jobs.forget,
    clients: sockets.clients,
    interrupts,
    lastGraph: () => lastGraph,
  };
}
