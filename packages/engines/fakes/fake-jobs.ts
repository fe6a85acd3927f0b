import type { ServerResponse } from 'node:http';
import type { Exchange } from './fake-server.ts';

/**
 * Instructions to a fake in a prompt:
 * `a fox [[job=a queue=2 run=3 end=failed file=webp submit=reset check=html times=2]]`.
 *
 * | word | meaning |
 * |---|---|
 * | `job` | the name that is counted by; the whole prompt without it |
 * | `queue`, `run` | polls that are answered as queued and as running; default 0 and 0 |
 * | `end` | how it ends, in the words of the fake; default `ok` |
 * | `file` | what the result's address gives, see `fake-files.ts`; default `png` |
 * | `submit`, `check` | how the first `times` (default 1) submissions or checks go wrong, see `TROUBLES` |
 * | `id` | the job id that the upstream gives |
 * | `after` | milliseconds from the order's taking to its end, however often it is polled |
 * | `calls` | how it calls back: `once` (default), `twice`, `never`, `early` (also at once), `late`, `forged` |
 * | `slow` | milliseconds from the order's taking to the answer |
 */
type Words = Readonly<Record<string, string>>;

export interface FakeJob {
  readonly id: string;
  readonly name: string;
  readonly words: Words;
  /** The order as the upstream received it. */
  readonly input: Readonly<Record<string, unknown>>;
  polls: number;
  canceled: boolean;
  /** Time of the submission by the monotonic clock, in milliseconds. */
  readonly takenAt: number;
}

/** The requests that a fake upstream received for one name. */
export interface FakeCounts {
  /** Submissions, refused ones included. */
  attempts: number;
  /** Submissions that made a job, and would be paid. */
  accepted: number;
  polls: number;
  cancels: number;
  downloads: number;
}

/**
 * Fault of a call. `counted`: the order is accepted nevertheless. `answer`: status, body, headers; none = the
 * connection breaks.
 */
export interface Trouble {
  readonly counted: boolean;
  readonly answer: 'reset' | 'hang' | readonly [number, unknown?, Readonly<Record<string, string>>?];
}

const HTML = '<html><body><h1>Something went wrong</h1></body></html>';

/** Faults that look alike at every upstream; a fake adds those in its own words. */
const TROUBLES: Readonly<Record<string, Trouble>> = {
  reset: { counted: true, answer: 'reset' },
  hang: { counted: true, answer: 'hang' },
  html500: { counted: true, answer: [500, HTML] },
  html503: { counted: true, answer: [503, HTML] },
  nojson: { counted: true, answer: [200, HTML] },
  nohandle: { counted: true, answer: [200, {}] },
  empty: { counted: true, answer: [202] },
  /** A proxy in front of the upstream answers instead. */
  away: { counted: false, answer: [503, HTML] },
};

interface FakeJobs {
  readonly jobs: ReadonlyMap<string, FakeJob>;
  counts(name: string): FakeCounts;
  /**
   * Accepts or refuses an order as its prompt says. Null: it was answered already.
   * @param troubles faults in the upstream's own words, besides `TROUBLES`.
   */
  take(exchange: Exchange, prompt: string, input: FakeJob['input'], newId: () => string): FakeJob | null;
  /** Counts a check. Null: it failed as the prompt says and was answered. */
  poll(exchange: Exchange, job: FakeJob): 'queued' | 'running' | 'over' | null;
  /** Tells whether a job has ended, without counting a check. */
  isOver(job: FakeJob): boolean;
  cancel(job: FakeJob): void;
  download(job: FakeJob): number;
  /** Makes the upstream forget all jobs. @returns a function that restores them */
  forget(): () => void;
}

export function createFakeJobs(troubles: Readonly<Record<string, Trouble>>): FakeJobs {
  const jobs = new Map<string, FakeJob>();
  const counted = new Map<string, FakeCounts>();
  const counts = (name: string): FakeCounts => {
    const known = counted.get(name) ?? { attempts: 0, accepted: 0, polls: 0, cancels: 0, downloads: 0 };
    counted.set(name, known);
    return known;
  };
  const troubleOf = (word: string | undefined): Trouble | null => {
    if (word === undefined) return null;
    const trouble = troubles[word] ?? TROUBLES[word];
    if (trouble === undefined) throw new Error(`no such trouble: ${word}`);
    return trouble;
  };
  const isOver = ({ canceled, polls, takenAt, words }: FakeJob): boolean => {
    if (canceled || words.after === undefined)
      return canceled || polls > Number(words.queue ?? 0) + Number(words.run ?? 0);
    return performance.now() - takenAt >= Number(words.after);
  };
  return {
    jobs,
    counts,
    take(exchange, prompt, input, newId) {
      const words = wordsOf(prompt);
      const name = words.job ?? prompt;
      const count = counts(name);
      count.attempts++;
      const trouble = count.attempts <= Number(words.times ?? 1) ? troubleOf(words.submit) : null;
      if (trouble !== null && !trouble.counted) {
        answer(exchange, trouble);
        return null;
      }
      count.accepted++;
      const job: FakeJob = {
        id: words.id ?? newId(),
        name,
        words,
        input,
        polls: 0,
        canceled: false,
        takenAt: performance.now(),
      };
      jobs.set(job.id, job);
      if (words.slow !== undefined) answerLater(exchange.response, Number(words.slow));
      if (trouble === null) return job;
      answer(exchange, trouble);
      return null;
    },
    poll(exchange, job) {
      job.polls++;
      counts(job.name).polls++;
      const trouble = job.polls <= Number(job.words.times ?? 1) ? troubleOf(job.words.check) : null;
      if (trouble !== null) {
        answer(exchange, trouble);
        return null;
      }
      if (isOver(job)) return 'over';
      return job.polls <= Number(job.words.queue ?? 0) ? 'queued' : 'running';
    },
    isOver,
    cancel(job) {
      counts(job.name).cancels++;
      job.canceled = true;
    },
    download: (job) => ++counts(job.name).downloads,
    forget() {
      const known = [...jobs];
      jobs.clear();
      return () => {
        for (const [id, job] of known) jobs.set(id, job);
      };
    },
  };
}

export function wordsOf(prompt: string): Words {
  const inside = /\[\[(.*?)\]\]/.exec(prompt)?.[1] ?? '';
  return Object.fromEntries(
    inside
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => word.split('=') as [string, string]),
  );
}

/** Delays the end of the response. */
function answerLater(response: ServerResponse, ms: number): void {
  const end = response.end.bind(response);
  response.end = ((...sent: Parameters<typeof end>) => {
    setTimeout(() => end(...sent), ms);
    return response;
  }) as typeof end;
}

function answer({ reply, response }: Exchange, trouble: Trouble): void {
  if (trouble.answer === 'reset') response.destroy();
  else if (trouble.answer !== 'hang') reply(...trouble.answer);
}
