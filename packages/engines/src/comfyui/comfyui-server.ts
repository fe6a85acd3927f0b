import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { EngineError, type OrderMedia } from '../engine.ts';
import { bytesOf } from '../upstream/bytes-of.ts';
import { type Answer, errorFromAnswer } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { hasError } from '../upstream/reasons.ts';
import { createUpstream, type Upstream } from '../upstream/upstream-call.ts';
import { secretsOfHeader } from '../upstream/without-secrets.ts';
import { explainComfyError, hasIgnoredOutputs, type IsFilled } from './comfyui-errors.ts';

/** The state of an order on a server. */
type PromptState =
  | { readonly state: 'pending'; readonly nodes: number }
  | { readonly state: 'running'; readonly nodes: number }
  | { readonly state: 'history'; readonly entry: JsonObject; readonly nodes: number };

/** A ComfyUI server. */
export interface ComfyServer {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly upstream: Upstream;
  /** Returns the number of unfinished orders. */
  load(signal: AbortSignal): Promise<number>;
  /** Uploads a file. @returns the name by which a workflow loads it. */
  upload(media: OrderMedia, name: string, signal: AbortSignal): Promise<string>;
  /**
   * Submits an order: the only call that must not be repeated. An order that the server accepts only in part is
   * canceled and refused. @returns the id, which is ours unless the server is too old to accept one.
   */
  submit(promptId: string, filled: FilledGraph, signal: AbortSignal): Promise<string>;
  /** Finds an order. @returns null if the server does not know it. */
  locate(promptId: string, signal: AbortSignal): Promise<PromptState | null>;
  /** Cancels an order. @returns whether there was an order to stop. */
  cancel(promptId: string, signal: AbortSignal): Promise<boolean>;
  /** Whether nodes of this class save or show something. */
  isOutput(classType: string, signal: AbortSignal): Promise<boolean>;
}

/** A workflow with the values of an order in it. */
export interface FilledGraph {
  readonly graph: JsonObject;
  readonly isFilled: IsFilled;
}

interface ComfyServerSettings {
  readonly url: string;
  /** The value of an `Authorization` header, for a reverse proxy in front; null = none. */
  readonly authorization: string | null;
  readonly fetch: TrustedFetch;
  readonly callTimeoutMs: number | undefined;
}

const SUBFOLDER = 'darkroom';

export function createComfyServer({ url, authorization, fetch, callTimeoutMs }: ComfyServerSettings): ComfyServer {
  const headers = authorization === null ? {} : { authorization };
  const naming = { name: 'ComfyUI', secrets: secretsOfHeader(authorization) };
  const upstream = createUpstream({
    ...naming,
    baseUrl: url,
    headers,
    timeoutMs: callTimeoutMs,
    fetch,
    explain: (answer) => explainComfyError(answer),
    maxAnswerBytes: 64 * 1024 * 1024,
    isOwn: true,
  });

  async function cancel(promptId: string, signal: AbortSignal): Promise<boolean> {
    try {
      const url = `/api/jobs/${encodeURIComponent(promptId)}/cancel`;
      const { cancelled } = objectOf((await upstream.call({ method: 'POST', url, signal })).body);
      if (typeof cancelled === 'boolean') return cancelled;
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
    }
    return await cancelAtOlderServer(promptId, signal);
  }

  /** Cancels in two calls: servers before 2026 cannot look and cancel in one. */
  async function cancelAtOlderServer(promptId: string, signal: AbortSignal): Promise<boolean> {
    const found = await inQueue(upstream, promptId, signal);
    if (found?.state === 'pending') {
      await upstream.call({ method: 'POST', url: '/queue', json: { delete: [promptId] }, signal });
      return true;
    }
    if (found?.state !== 'running') return false;
    // Older servers interrupt whichever order is running, so this is sent only if ours is.
    await upstream.call({ method: 'POST', url: '/interrupt', json: { prompt_id: promptId }, signal });
    return true;
  }

  return {
    url,
    headers,
    upstream,
    async load(signal) {
      const { exec_info: info } = objectOf((await upstream.call({ url: '/prompt', signal })).body);
      const remaining = objectOf(info).queue_remaining;
      if (typeof remaining === 'number') return remaining;
      throw new EngineError('upstream', 'what answers at this address is no ComfyUI server', { took: 'no' });
    },
    async upload(media, name, signal) {
      const form = new FormData();
      const file = new Blob([new Uint8Array(await bytesOf(media))], { type: media.contentType });
      form.append('image', file, `${name}.${media.contentType.split('/')[1] ?? 'bin'}`);
      form.append('subfolder', SUBFOLDER);
      form.append('overwrite', 'true');
      const { body } = await upstream.call({ method: 'POST', url: '/upload/image', body: form, signal });
      const { name: stored, subfolder } = objectOf(body);
      if (typeof stored !== 'string') {
        throw new EngineError('upstream', 'ComfyUI named no file for an upload', { took: 'no' });
      }
      return typeof subfolder === 'string' && subfolder !== '' ? `${subfolder}/${stored}` : stored;
    },
    async submit(promptId, { graph, isFilled }, signal) {
      const json = { prompt: graph, prompt_id: promptId, client_id: promptId };
      const call = { method: 'POST', url: '/prompt', json, signal, orders: true, accept: [400] };
      const answer = await upstream.call(call);
      const { prompt_id: given } = objectOf(answer.body);
      const id = typeof given === 'string' && given !== '' ? given : promptId;
      const explain = (found: Answer) => explainComfyError(found, isFilled);
      const refuse = (found: Answer) => errorFromAnswer(found, { ...naming, explain, orders: true });
      if (answer.status === 400) throw refuse(answer);
      if (given === undefined && hasError(answer.body)) throw refuse({ ...answer, status: 400 });
      if (!hasIgnoredOutputs(answer.body)) return id;
      // Even if it cannot be canceled, nothing that it makes is delivered.
      await cancel(id, signal).catch(() => signal.throwIfAborted());
      throw refuse({ ...answer, status: 400 });
    },
    async locate(promptId, signal) {
      // The history is checked again: the order may have moved there from the queue in the meantime.
      return (
        (await inHistory(upstream, promptId, signal)) ??
        (await inQueue(upstream, promptId, signal)) ??
        (await inHistory(upstream, promptId, signal))
      );
    },
    cancel,
    async isOutput(classType, signal) {
      const { body } = await upstream.call({ url: `/object_info/${encodeURIComponent(classType)}`, signal });
      return objectOf(objectOf(body)[classType]).output_node === true;
    },
  };
}

async function inHistory(upstream: Upstream, promptId: string, signal: AbortSignal): Promise<PromptState | null> {
  const { body } = await upstream.call({ url: `/history/${encodeURIComponent(promptId)}`, signal });
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new EngineError('upstream', 'ComfyUI answered something else than its history', { took: 'yes' });
  }
  const found = objectOf(body)[promptId];
  if (found === undefined) return null;
  const entry = objectOf(found);
  return { state: 'history', entry, nodes: Array.isArray(entry.prompt) ? nodesIn(entry.prompt[2]) : 0 };
}

async function inQueue(upstream: Upstream, promptId: string, signal: AbortSignal): Promise<PromptState | null> {
  const { body } = await upstream.call({ url: '/queue', signal });
  const { queue_running: running, queue_pending: pending } = objectOf(body);
  if (!Array.isArray(running) || !Array.isArray(pending)) {
    throw new EngineError('upstream', 'ComfyUI answered something else than its queue', { took: 'yes' });
  }
  const find = (list: readonly JsonValue[]) => entriesOf(list).find((entry) => entry[1] === promptId);
  const [runs, waits] = [find(running), find(pending)];
  if (runs !== undefined) return { state: 'running', nodes: nodesIn(runs[2]) };
  return waits === undefined ? null : { state: 'pending', nodes: nodesIn(waits[2]) };
}

function entriesOf(list: readonly JsonValue[]): readonly JsonValue[][] {
  return list.filter((entry): entry is JsonValue[] => Array.isArray(entry));
}

function nodesIn(graph: JsonValue | undefined): number {
  return Object.keys(objectOf(graph)).length;
}
