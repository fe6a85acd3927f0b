import { setTimeout as sleep } from 'node:timers/promises';
import type { startFloor } from './child-service.ts';
import type { Installation } from './installation.ts';
import { type LoadAnswer, type LoadOrder, sendLoad } from './load.ts';
import { readProcessorMs } from './peers/process-figures.ts';
import { median, printTable } from './table.ts';

export interface Compared {
  readonly floor: Awaited<ReturnType<typeof startFloor>>;
  /** The service with few tasks. */
  readonly few: Installation;
  /** The service in another state; null = it was left out. */
  readonly second: Installation | null;
  /** The extra load of the second service, for the table. */
  readonly difference: 'with many tasks' | 'with traces';
  readonly rounds: number;
  /** Duration of each round. */
  readonly seconds: number;
}

type Shape = Pick<LoadOrder, 'method' | 'paths' | 'headers' | 'body' | 'idempotent' | 'expected'>;

/** One kind of load: what is sent to the floor, if it has the like, and to a service. */
interface Case {
  readonly name: string;
  readonly floor: Shape | null;
  readonly service: (installation: Installation) => Shape;
  /** Reads each task of the second service once before the rounds, and prints how fast that was. */
  readonly readsEachFirst?: boolean;
  /** Waits until the service has done what the load left to do. */
  readonly rest?: (installation: Installation) => Promise<void>;
}

interface Answer extends LoadAnswer {
  /** Of the service, with the work that it does after the last answer. */
  readonly processorMs: number;
}

const CONNECTIONS = 64;
/** V8 compiles for some seconds what runs for days in operation. */
const WARM_UP_SECONDS = 5;
const FLOOR_KEY = 'dk_test_abcdefghijklmnopqrstuvwxyz012345';
const ORDER = '{"model_id":"sketch","prompt":"a red fox in the snow","aspect_ratio":"16:9"}';
const FIRST_READS_WITHIN_SECONDS = 120;
/** From the end of a round until its first order ends. */
const ENDS_LATER_SECONDS = 6;
const ENDED_WITHIN_MS = 120_000;

/**
 * Sends every kind of load to the floor and the services in turns, and prints medians and the medians of the ratios of
 * neighbouring rounds.
 */
export async function compareLoad(compared: Compared): Promise<void> {
  await occupySlot(compared.few);
  if (compared.second !== null) await occupySlot(compared.second);
  const rows: string[][] = [];
  for (const load of await casesOf(compared)) {
    console.error(`measuring: ${load.name}`);
    rows.push(await compare(load, compared));
  }
  printTable(
    `Requests a second at ${CONNECTIONS} connections, ${compared.rounds} rounds of ${compared.seconds} s each (only answers as expected count)`,
    [
      'load',
      'floor',
      'service',
      'of the floor',
      'p99',
      "floor's p99",
      'processor',
      compared.difference,
      'of itself',
      'p99',
      'processor',
    ],
    rows,
  );
}

async function casesOf({ floor, few, seconds }: Compared): Promise<Case[]> {
  const get = (paths: readonly string[], key: string): Shape => ({
    method: 'GET',
    paths,
    headers: { authorization: `Bearer ${key}` },
    body: null,
    idempotent: false,
    expected: 200,
  });
  const post = (body: string, key: string): Shape => ({
    method: 'POST',
    paths: ['/v1/images'],
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
    idempotent: true,
    expected: 200,
  });
  const retrieve = (paths: readonly string[]) => paths.map((id) => `/v1/images/${id}`);
  // As a real client asks. Lists are asked for plain, as the floor compresses nothing.
  const plain = get(['/v1/catalog'], few.reader.key);
  const catalog = { ...plain, headers: { ...plain.headers, 'accept-encoding': 'gzip' } };
  // Engines run 10,000 simulated orders at once. So that none has to wait, these end after their round, unpainted.
  const simulate = { seconds: seconds + ENDS_LATER_SECONDS, outcome: 'upstream_error' };
  const simulated = JSON.stringify({ ...JSON.parse(ORDER), simulate });
  const etag = (await fetch(`${few.url}/v1/catalog`)).headers.get('etag') ?? '';
  return [
    {
      name: 'retrieve a finished task',
      floor: get(retrieve([floor.taskId]), FLOOR_KEY),
      service: ({ taskIds, reader }) => get(retrieve(taskIds), reader.key),
      readsEachFirst: true,
    },
    {
      name: 'list 20 finished tasks',
      floor: get(['/v1/images?limit=20'], FLOOR_KEY),
      service: ({ reader }) => get(['/v1/images?limit=20'], reader.key),
    },
    { name: 'catalog, whole', floor: null, service: () => catalog },
    {
      name: 'catalog, 304',
      floor: null,
      service: () => ({ ...catalog, headers: { ...catalog.headers, 'if-none-match': etag }, expected: 304 }),
    },
    {
      name: 'create (the order waits)',
      floor: post(ORDER, FLOOR_KEY),
      service: ({ orderer }) => post(ORDER, orderer.key),
    },
    {
      name: 'create (the order is begun at once)',
      floor: post(ORDER, FLOOR_KEY),
      service: ({ painter }) => post(simulated, painter.key),
      rest: untilEnded,
    },
  ];
}

async function compare(load: Case, { floor, few, second, rounds, seconds }: Compared): Promise<string[]> {
  const targets = [
    { url: floor.url, shape: load.floor, service: null, answers: [] as Answer[] },
    { url: few.url, shape: load.service(few), service: few, answers: [] as Answer[] },
    { url: second?.url ?? '', shape: second && load.service(second), service: second, answers: [] as Answer[] },
  ] as const;
  if (second !== null && load.readsEachFirst === true) await readEach(second.url, load.service(second));
  for (let round = -1; round < rounds; round++) {
    // Whoever came right after the floor was up to 14 % slower.
    const turns = round % 2 === 0 ? targets : targets.toReversed();
    for (const { url, shape, service, answers } of turns) {
      if (shape === null) continue;
      const length = round < 0 ? WARM_UP_SECONDS : seconds;
      const pids = service?.process.pid === undefined ? [] : [service.process.pid];
      const before = await readProcessorMs(pids);
      const answer = await sendLoad({ ...shape, url, connections: CONNECTIONS, seconds: length });
      if (service !== null) await load.rest?.(service);
      const processorMs = (await readProcessorMs(pids)) - before;
      if (round < 0) continue;
      if (answer.answered === 0) throw new Error(`${load.name}: nothing was answered by ${url} in ${length} s`);
      answers.push({ ...answer, processorMs });
    }
  }
  const [ofFloor, ofFew, ofSecond] = targets.map((target) => target.answers) as [Answer[], Answer[], Answer[]];
  return [
    load.name,
    rateOf(ofFloor),
    rateOf(ofFew),
    ratioOf(ofFew, ofFloor),
    p99Of(ofFew),
    p99Of(ofFloor),
    processorOf(ofFew),
    rateOf(ofSecond),
    ratioOf(ofSecond, ofFew),
    p99Of(ofSecond),
    processorOf(ofSecond),
  ];
}

/** Tells how fast tasks are retrieved of which some are on the disk only. */
async function readEach(url: string, shape: Shape): Promise<void> {
  const amount = shape.paths.length;
  const answer = await sendLoad({
    ...shape,
    url,
    connections: Math.min(CONNECTIONS, amount),
    seconds: FIRST_READS_WITHIN_SECONDS,
    amount,
  });
  console.log(`${answer.answered} tasks, each for the first time: ${Math.round(perSecond(answer))} a second`);
}

/**
 * The orderer may run one task at a time: this one never ends, so that everything else that it orders waits and no
 * painter competes.
 */
async function occupySlot({ url, orderer }: Installation): Promise<void> {
  const response = await fetch(`${url}/v1/images`, {
    method: 'POST',
    headers: { authorization: `Bearer ${orderer.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model_id: 'sketch', prompt: 'a stone', simulate: { outcome: 'stuck' } }),
  });
  if (response.status !== 201) throw new Error(`expected 201, found ${response.status}: ${await response.text()}`);
}

/** Waits until no order of the painter is in progress. @throws if that takes two minutes */
async function untilEnded({ url, painter }: Installation): Promise<void> {
  const headers = { authorization: `Bearer ${painter.key}` };
  const orders = async (status: string) => {
    const response = await fetch(`${url}/v1/images?limit=1&status=${status}`, { headers });
    return ((await response.json()) as { data: { items: unknown[] } }).data.items.length;
  };
  const until = performance.now() + ENDED_WITHIN_MS;
  while ((await orders('queued')) + (await orders('processing')) > 0) {
    if (performance.now() > until) throw new Error(`orders at ${url} have not ended after ${ENDED_WITHIN_MS / 1000} s`);
    await sleep(200);
  }
}

const perSecond = ({ answered, seconds }: LoadAnswer) => answered / seconds;

function rateOf(answers: readonly LoadAnswer[]): string {
  return answers.length === 0 ? '–' : String(Math.round(median(answers.map(perSecond))));
}

function p99Of(answers: readonly LoadAnswer[]): string {
  return answers.length === 0 ? '–' : `${Math.round(median(answers.map((answer) => answer.p99)))} ms`;
}

function processorOf(answers: readonly Answer[]): string {
  if (answers.length === 0) return '–';
  return `${median(answers.map(({ processorMs, answered }) => processorMs / answered)).toFixed(3)} ms`;
}

function ratioOf(answers: readonly LoadAnswer[], base: readonly LoadAnswer[]): string {
  if (answers.length === 0 || base.length === 0) return '–';
  const ratios = answers.map((answer, round) => perSecond(answer) / perSecond(base[round]!));
  return `${Math.round(median(ratios) * 100)} %`;
}
