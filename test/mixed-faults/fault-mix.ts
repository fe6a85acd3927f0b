import { createRandom } from '../chaos/random.ts';
import { UPSTREAMS, type UpstreamName } from './upstreams.ts';

/** How a task may end: succeeded, canceled, or the code of its failure. */
export type End = 'succeeded' | 'canceled' | 'outcome_unknown' | 'upstream_error' | 'content_policy' | 'timeout';

type Shares = Partial<Readonly<Record<UpstreamName, number>>>;

export interface Fault {
  readonly name: string;
  /** How many of a thousand orders of an upstream have it, by upstream; none where it is not named. */
  readonly shares: Shares;
  /** What the fake is told (see `fake-jobs.ts`), where upstreams differ by upstream. */
  readonly words: string | Partial<Readonly<Record<UpstreamName, string>>>;
  readonly ends: readonly End[];
  /** The upstream takes no order of these. */
  readonly refused?: boolean;
  /** The client cancels it. */
  readonly canceled?: boolean;
  /** Nothing ends it but its deadline, after hours. */
  readonly untilDeadline?: true;
  /** Two orders each are given one id. */
  readonly twins?: boolean;
}

export interface PlannedOrder {
  /** The name that the fakes count by. */
  readonly job: string;
  readonly upstream: UpstreamName;
  readonly fault: Fault | null;
  readonly prompt: string;
  readonly cancelAfterMs: number | null;
}

/** Of a thousand orders; the rest of each goes well. */
const all = (share: number) => Object.fromEntries(UPSTREAMS.map((upstream) => [upstream, share])) as Shares;
const withHandle = (share: number) => ({ ...wide(share), ...repeated(share), bfl: share });
const fetched = (share: number) => ({ ...withHandle(share), xai: share });
/** Where so many wait side by side that those that wait for long take only a part of the slots. */
const wide = (share: number) => ({ fal: share, replicate: share });
/** Kling is asked by our own id whether it has the order, and Comfy Router gets it again with the same key. */
const repeated = (share: number) => ({ kling: share, 'comfy-router': share });
const lost = (name: string, words: string, share: number, among: Shares = all(share)): Fault[] => [
  { name, words, shares: { ...among, ...repeated(0) }, ends: ['outcome_unknown'] },
  { name: `${name}, and repeated`, words, shares: repeated(share), ends: ['succeeded'] },
];

export const FAULTS: readonly Fault[] = [
  { name: 'answers slowly', words: 'slow=700', shares: all(40), ends: ['succeeded'] },
  { name: 'queues and works', words: 'queue=1 run=1', shares: withHandle(60), ends: ['succeeded'] },
  { name: '429', words: 'submit=busy', shares: all(25), ends: ['succeeded'] },
  { name: '429 with Retry-After', words: 'submit=busyfor', shares: all(4), ends: ['succeeded'] },
  { name: '429 until a date', words: 'submit=busyuntil', shares: all(4), ends: ['succeeded'] },
  ...lost('503, not taken', 'submit=away', 12).map((fault) =>
    fault.ends.includes('outcome_unknown') ? { ...fault, refused: true } : fault,
  ),
  ...lost('503, taken', 'submit=html503', 12),
  ...lost('500, taken', 'submit=html500', 12),
  ...lost('connection reset, taken', 'submit=reset', 20),
  ...lost('hangs, taken', 'submit=hang', 4, { bfl: 4 }),
  ...lost('answered with a page', 'submit=nojson', 8),
  ...lost('answered without a handle', 'submit=nohandle', 8),
  ...lost('answered with nothing', 'submit=empty', 6),
  {
    name: 'content refused',
    words: { fal: 'submit=content', kling: 'submit=quiet', xai: 'submit=content', vertex: 'submit=content' },
    shares: { fal: 20, kling: 20, xai: 20, vertex: 20 },
    ends: ['content_policy'],
    refused: true,
  },
  {
    name: 'content refused at the end',
    words: {
      fal: 'end=nsfw',
      replicate: 'end=nsfw',
      bfl: 'end=content',
      kling: 'end=content',
      'comfy-router': 'end=content',
      google: 'end=safety',
      vertex: 'end=blocked',
      xai: 'end=withheld',
    },
    shares: all(20),
    ends: ['content_policy'],
  },
  {
    name: 'fails at the end',
    words: {
      fal: 'end=crashed',
      replicate: 'end=memory',
      bfl: 'end=broken',
      kling: 'end=broken',
      'comfy-router': 'end=failed',
      google: 'end=recited',
    },
    shares: { ...withHandle(30), google: 30 },
    ends: ['upstream_error'],
  },
  { name: 'result gone at first', words: 'file=late', shares: fetched(20), ends: ['succeeded'] },
  { name: 'result breaks off at first', words: 'file=broken', shares: fetched(20), ends: ['succeeded'] },
  { name: 'result redirected', words: 'file=redirect', shares: fetched(15), ends: ['succeeded'] },
  { name: 'result redirected inside', words: 'file=private', shares: fetched(15), ends: ['upstream_error'] },
  { name: 'picture that is rubbish', words: 'file=garbage', shares: all(10), ends: ['upstream_error'] },
  { name: 'unknown status', words: 'run=1 odd=DREAMING', shares: withHandle(15), ends: ['succeeded'] },
  { name: 'check reset', words: 'check=reset', shares: withHandle(15), ends: ['succeeded'] },
  { name: 'check 503', words: 'check=html503', shares: withHandle(15), ends: ['succeeded'] },
  { name: 'check 429', words: 'check=busy', shares: withHandle(10), ends: ['succeeded'] },
  { name: 'check answered with a page', words: 'check=nojson', shares: withHandle(10), ends: ['succeeded'] },
  { name: 'canceled by the client', words: 'run=1000000', shares: wide(20), ends: ['canceled'], canceled: true },
  {
    name: 'two orders, one id',
    words: 'run=1',
    shares: wide(6),
    ends: ['succeeded', 'outcome_unknown'],
    twins: true,
  },
  {
    name: 'forgotten',
    words: 'end=gone',
    shares: wide(2),
    ends: ['timeout', 'upstream_error'],
    untilDeadline: true,
  },
  { name: 'never ready', words: 'run=1000000', shares: wide(2), ends: ['timeout'], untilDeadline: true },
  // It may be a picture later, and is asked for again until the deadline.
  {
    name: 'picture that is a page',
    words: 'file=page',
    shares: wide(3),
    ends: ['timeout', 'upstream_error'],
    untilDeadline: true,
  },
  {
    name: 'silent for good',
    words: 'check=html503 times=1000000',
    shares: wide(2),
    ends: ['timeout', 'upstream_error'],
    untilDeadline: true,
  },
];

/** How many of a hundred orders go where: as many as each can have at once allows. */
const SPREAD: Readonly<Record<UpstreamName, number>> = {
  fal: 25,
  replicate: 25,
  bfl: 8,
  kling: 5,
  'comfy-router': 8,
  google: 11,
  vertex: 7,
  xai: 11,
};
const CANCELED_WITHIN_MS = 3_000;

/** Plans a mix of orders and faults; equal for equal seeds and counts. */
export function planOrders(seed: number, count: number): PlannedOrder[] {
  const random = createRandom(seed, 'mixed faults');
  const places = UPSTREAMS.flatMap((upstream) =>
    Array.from({ length: Math.round((count * SPREAD[upstream]) / 100) }, () => upstream),
  );
  const twins = new Map<UpstreamName, number>();
  return random.shuffle(places).map((upstream, index) => {
    const fault = drawFault(upstream, random.next() * 1000);
    const job = String(index);
    const own = typeof fault?.words === 'object' ? fault.words[upstream] : fault?.words;
    const born = twins.get(upstream) ?? 0;
    if (fault?.twins === true) twins.set(upstream, born + 1);
    const id = fault?.twins === true ? `id=twin-${upstream}-${Math.floor(born / 2)}` : '';
    return {
      job,
      upstream,
      fault,
      prompt: `a fox [[job=${job} ${own ?? ''} ${id}]]`,
      cancelAfterMs: fault?.canceled === true ? random.between(0, CANCELED_WITHIN_MS) : null,
    };
  });
}

function drawFault(upstream: UpstreamName, drawn: number): Fault | null {
  let upTo = 0;
  for (const fault of FAULTS) {
    upTo += fault.shares[upstream] ?? 0;
    if (drawn < upTo) return fault;
  }
  return null;
}
