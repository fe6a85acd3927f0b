import sharp from 'sharp';
import { createRandom } from '../chaos/random.ts';
import { type FileAnswer, startTestService, type TaskAnswer } from '../helpers/service.ts';
import { createSwiftEngine } from '../helpers/swift-engine.ts';
import { type AnswerCheck, createAnswerCheck, type FuzzAnswer } from './check-answer.ts';
import { createLoopCheck } from './check-loop.ts';
import { moneyFaults } from './check-money.ts';
import { openHolders, remember } from './holders.ts';
import {
  type FuzzRequest,
  isCreate,
  type ModelWithSchema,
  makeRequest,
  operationsOf,
  type Sources,
} from './make-request.ts';

export interface FuzzOptions {
  readonly seed: number;
  /** After so long no further batch is begun. */
  readonly ms: number;
  readonly onBatch?: (batch: number, statuses: ReadonlyMap<string, number>) => void;
}

/** A finding: what was sent, what was answered, and why that is wrong. */
export class FuzzFinding extends Error {
  override name = 'FuzzFinding';
}

const BATCH = 200;
const AT_ONCE = 8;
const SHOWN = 3_000;

/**
 * Sends random requests to a service of its own and checks every answer, and after each batch the money, the CPU time
 * and the delay of the event loop. A batch is
 * drawn before it is sent, so that a seed repeats it; what its requests do to one another may differ. @returns how
 * often which status was answered. @throws FuzzFinding
 */
export async function runFuzz({ seed, ms, onBatch }: FuzzOptions): Promise<ReadonlyMap<string, number>> {
  const closers: (() => Promise<unknown>)[] = [];
  const after = (close: () => Promise<unknown>) => void closers.push(close);
  try {
    const service = await startTestService({ after } as Parameters<typeof startTestService>[0], {
      service: { engines: [createSwiftEngine()] },
    });
    const get = async <Path extends string>(path: Path) => (await service.call(service.keys.test, 'GET', path)).body;
    const document = await get('/openapi.json');
    const { data: catalog } = await get('/v1/catalog');
    const models: ModelWithSchema[] = [];
    for (const { model_id, status } of catalog.items)
      if (status !== 'retired') models.push((await get(`/v1/models/${model_id}`)).data);
    const holders = await openHolders(service);
    const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#463' } })
      .png()
      .toBuffer();
    const sources: Sources = { operations: operationsOf(document), models, holders, picture };
    const check = createAnswerCheck(document, holders);
    const loop = createLoopCheck();
    after(async () => loop.stop());
    const statuses = new Map<string, number>();
    const end = performance.now() + ms;
    for (let batch = 0; batch === 0 || performance.now() < end; batch++) {
      const random = createRandom(seed, `batch ${batch}`);
      const requests = Array.from({ length: BATCH }, () => makeRequest(sources, random));
      await sendBatch(service.url, requests, check, statuses);
      const sent = requests.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
      const overwork = loop.fault(sent / 1_000_000);
      if (overwork !== null) throw new FuzzFinding(`batch ${batch}: ${overwork}`);
      const faults = await moneyFaults(service.database);
      if (faults.length > 0) throw new FuzzFinding(`after batch ${batch}: ${faults.slice(0, 5).join('; ')}`);
      onBatch?.(batch, statuses);
    }
    return statuses;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function sendBatch(
  url: string,
  requests: readonly FuzzRequest[],
  check: AnswerCheck,
  statuses: Map<string, number>,
): Promise<void> {
  const waiting = [...requests];
  const work = async () => {
    for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
      const answer = await send(url, request);
      statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1);
      const fault = check(request, answer);
      if (fault !== null) throw new FuzzFinding(describe(request, answer, fault));
      learn(request, answer);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function send(url: string, { holder, operation, path, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const response = await fetch(url + path, {
    method: operation.method,
    redirect: 'manual',
    headers: {
      ...(holder === null ? {} : { authorization: `Bearer ${holder.secret}` }),
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(body === null || operation.method === 'GET'
      ? {}
      : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Remembers what was made, for later requests. */
function learn(request: FuzzRequest, { status, text }: FuzzAnswer): void {
  const { holder, operation, path, headers, body } = request;
  if (holder === null || status !== 201) return;
  const { data } = JSON.parse(text) as { readonly data: TaskAnswer & FileAnswer };
  if (operation.path === '/v1/files') remember(holder.files, data.file_id);
  if (!isCreate(request)) return;
  remember(holder.tasks, { id: data.task_id, type: data.task_id.startsWith('vid') ? 'video' : 'image' });
  const key = headers['idempotency-key'];
  if (key !== undefined && typeof body === 'string')
    remember(holder.repeatable, { path, body, key, taskId: data.task_id });
}

function describe({ holder, operation, path, headers, body }: FuzzRequest, answer: FuzzAnswer, fault: string): string {
  const sent = body === null ? '' : typeof body === 'string' ? body : `${body.length} bytes`;
  return `${fault}
${operation.method} ${path} as ${holder?.name ?? 'a stranger'} ${JSON.stringify(headers)}
${sent.slice(0, SHOWN)}
-> ${answer.status} ${answer.text.slice(0, SHOWN)}`;
}
