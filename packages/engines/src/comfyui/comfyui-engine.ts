import { type JsonObject, type JsonValue, world } from '@darkroom-service/contract';
import type { TrustedFetch } from '@darkroom-service/media';
import { type Engine, EngineError, type Order, type OrderMedia } from '../engine.ts';
import { beforeOrdering, createSubmitPollEngine, type EngineTools } from '../upstream/submit-poll-engine.ts';
import { seedOf, uuidOf } from '../upstream/task-numbers.ts';
import { CALL_TIMEOUT_MS } from '../upstream/upstream-call.ts';
import { secretsOfHeader } from '../upstream/without-secrets.ts';
import { standingOfEntry } from './comfyui-result.ts';
import { type ComfyServer, createComfyServer, type FilledGraph } from './comfyui-server.ts';
import { createProgressSockets } from './progress-sockets.ts';
import { createWorkflows, fillWorkflow, inputsFilledBy, type Workflow } from './workflows.ts';

interface ComfySettings extends EngineTools {
  /** The servers of the pool. All have the same models. */
  readonly urls: readonly string[];
  /** The value of an `Authorization` header, for a reverse proxy in front of them; null = none. */
  readonly authorization: string | null;
  /** Directories with workflows; a later one takes precedence. */
  readonly workflowDirectories: readonly string[];
  /** Concurrent orders per server. Default 2: one runs and one waits on the server, so that it is never idle. */
  readonly perServer?: number;
  readonly fetch: TrustedFetch;
}

interface Handle extends JsonObject {
  readonly server: string;
  readonly promptId: string;
  readonly nodes: number;
  readonly seed: number | null;
}

const PER_SERVER = 2;
/** Marks media in the input. The random part keeps a customer's text from being mistaken for a medium. */
const MEDIA = `${world.randomUUID()}:`;

/**
 * Creates an engine for self-hosted ComfyUI servers as one pool. An order is a workflow filled with its values and goes
 * to the server with the shortest queue.
 */
export function createComfyEngine(settings: ComfySettings): Engine {
  const { urls, authorization, fetch, clock, callTimeoutMs } = settings;
  // Stored operations contain this address, so a trailing slash must not make it a different server.
  const addresses = [...new Set(urls.map((url) => url.replace(/\/+$/, '')))];
  const servers = addresses.map((url) => createComfyServer({ url, authorization, fetch, callTimeoutMs }));
  const workflows = createWorkflows(settings.workflowDirectories);
  const sockets = createProgressSockets(() => clock.now());
  const serverOf = ({ server }: Handle) => servers.find(({ url }) => url === server);

  return createSubmitPollEngine<Handle>(
    {
      name: 'comfyui',
      // We choose the id, and the server's queue and history are complete.
      idempotency: 'findable',
      isFree: true,
      concurrency: servers.length * (settings.perServer ?? PER_SERVER),
      timeoutMs: callTimeoutMs ?? CALL_TIMEOUT_MS,
      secrets: secretsOfHeader(authorization),
      // Files are uploaded to the server that gets the order, which is chosen later.
      handOver: async ({ field, index }) => `${MEDIA}${field}:${index}`,
      async submit({ model, input }, { order, taskId, signal }) {
        const promptId = uuidOf(taskId);
        const { server, filled, seed } = await beforeOrdering(async (limited) => {
          const workflow = await workflows.load(model);
          const seed = seedFor(workflow, order);
          const server = await leastBusy(servers, promptId, limited);
          const handed = await uploadAll(server, input, order, limited);
          const graph = fillWorkflow(workflow, seed === null ? handed : { ...handed, seed });
          const isFilled = inputsFilledBy(workflow, handed, order.route.fixed);
          return { server, seed, filled: { graph, isFilled } };
        }, signal);
        const nodes = Object.keys(filled.graph).length;
        // Messages are not repeated, so listening starts before the submission.
        sockets.watch(server, promptId, nodes);
        const given = await submitOnce(server, promptId, filled, signal).catch((error: unknown) => {
          sockets.forget(promptId);
          throw error;
        });
        return { server: server.url, promptId: given, nodes, seed };
      },
      async check(handle, { signal }) {
        const server = serverOf(handle);
        const { promptId, nodes, seed } = handle;
        if (server === undefined) return { state: 'gone' };
        const found = await server.locate(promptId, signal);
        if (found !== null && found.state !== 'history') {
          const progress = sockets.watch(server, promptId, nodes);
          return { state: 'pending', ...(found.state === 'running' ? { progress } : {}) };
        }
        sockets.forget(promptId);
        return found === null ? { state: 'gone' } : await standingOfEntry(server, found.entry, { seed, signal });
      },
      jobOf: ({ promptId }) => promptId,
      async cancel(handle, { signal }) {
        return (await serverOf(handle)?.cancel(handle.promptId, signal)) ?? false;
      },
      async find(taskId, { order, signal }) {
        const promptId = uuidOf(taskId);
        const seed = seedFor(await workflows.load(order.route.model ?? ''), order);
        const answers = await Promise.allSettled(servers.map((server) => server.locate(promptId, signal)));
        for (const [index, answer] of answers.entries()) {
          const server = servers[index];
          if (server === undefined || answer.status === 'rejected' || answer.value === null) continue;
          return { server: server.url, promptId, nodes: answer.value.nodes, seed };
        }
        // While one server does not answer, it is unknown whether it has the order.
        const silent = answers.find((answer) => answer.status === 'rejected');
        if (silent !== undefined) throw silent.reason;
        return null;
      },
      async probe({ signal }) {
        const loads = await Promise.allSettled(servers.map((server) => server.load(signal)));
        const silent = loads.flatMap((load, index) =>
          load.status === 'rejected' ? [`${servers[index]?.url}: ${(load.reason as Error).message}`] : [],
        );
        const answering = servers.length - silent.length;
        const counted = `${answering} of ${servers.length} server${servers.length === 1 ? '' : 's'} answer`;
        return { ok: answering > 0, message: [counted, ...silent].join('; ') };
      },
      async close() {
        sockets.close();
      },
    },
    settings,
  );
}

function seedFor(workflow: Workflow, order: Order): number | null {
  return workflow.parameters.seed === undefined ? null : seedOf(order);
}

/** Returns the server with the shortest queue. Ties are broken by the task, so that orders spread. */
async function leastBusy(servers: readonly ComfyServer[], promptId: string, signal: AbortSignal): Promise<ComfyServer> {
  const [only] = servers;
  if (servers.length === 1 && only !== undefined) return only;
  const loads = await Promise.allSettled(servers.map((server) => server.load(signal)));
  signal.throwIfAborted();
  const offset = Number.parseInt(promptId.slice(0, 4), 16);
  const [best] = loads
    .flatMap((load, index) => {
      const server = servers[index];
      if (load.status === 'rejected' || server === undefined) return [];
      return [{ server, load: load.value, turn: (index + offset) % servers.length }];
    })
    .sort((a, b) => a.load - b.load || a.turn - b.turn);
  if (best !== undefined) return best.server;
  throw loads.find((load) => load.status === 'rejected')?.reason;
}

/**
 * Submits an order. A lost response does no harm: we chose the id, so the server can be asked whether it has the order.
 */
async function submitOnce(
  server: ComfyServer,
  promptId: string,
  filled: FilledGraph,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await server.submit(promptId, filled, signal);
  } catch (error) {
    if (!(error instanceof EngineError) || error.took !== 'unknown') throw error;
    const found = await server.locate(promptId, signal).catch(() => null);
    if (found === null) throw error;
    return promptId;
  }
}

/** Uploads each medium once and replaces it in the input by its name on the server. */
async function uploadAll(
  server: ComfyServer,
  input: JsonObject,
  order: Order,
  signal: AbortSignal,
): Promise<JsonObject> {
  const names = new Map<string, string>();
  for (const text of textsIn(input)) {
    const media = text.startsWith(MEDIA) && !names.has(text) ? mediaOf(order, text) : undefined;
    if (media === undefined) continue;
    names.set(text, await server.upload(media, `${order.taskId}-${media.field}-${media.index}`, signal));
  }
  const rename = (value: JsonValue): JsonValue =>
    typeof value === 'string' ? (names.get(value) ?? value) : Array.isArray(value) ? value.map(rename) : value;
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, rename(value)]));
}

function textsIn(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function mediaOf(order: Order, text: string): OrderMedia | undefined {
  return order.media.find(({ field, index }) => `${MEDIA}${field}:${index}` === text);
}
