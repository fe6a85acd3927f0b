import type { FakeJob } from './fake-jobs.ts';

/** A call that a fake made about an order. */
export interface FakeCall {
  /** The name that the order is counted by. */
  readonly job: string;
  /** The status of the answer; 0 = there was none. */
  readonly status: number;
}

/** A vendor's notice to a callback URL, and the headers that sign it. */
export interface FakeNews {
  readonly body: unknown;
  readonly headers?: (body: string) => Readonly<Record<string, string>>;
}

/** Calls back as the word `calls` of a prompt says, and records the answers. */
export interface FakeCallbacks {
  readonly made: readonly FakeCall[];
  /**
   * Plans the calls of a job. @param news returns the notice to send while the order runs (null = none) and when it has
   * ended
   */
  promise(job: FakeJob, url: unknown, news: (state: 'running' | 'over') => FakeNews | null): void;
}

const LATE_MS = 700;

export function createFakeCallbacks(): FakeCallbacks {
  const made: FakeCall[] = [];

  async function call(job: FakeJob, url: string, news: FakeNews | null): Promise<void> {
    if (news === null) return;
    const body = JSON.stringify(news.body);
    const headers = { 'content-type': 'application/json', ...news.headers?.(body) };
    const status = await fetch(url, { method: 'POST', body, headers }).then(
      (response) => response.status,
      () => 0,
    );
    made.push({ job: job.name, status });
  }

  return {
    made,
    promise(job, url, news) {
      if (typeof url !== 'string') return;
      const { calls = 'once', after = '0' } = job.words;
      const later = (ms: number, run: () => void) => void setTimeout(run, ms).unref();
      const atEnd = (to: string) => void call(job, to, news('over'));
      // If possible, this call precedes the answer to the submission.
      if (calls === 'early') atEnd(url);
      later(Number(after) / 2, () => void call(job, url, news('running')));
      later(Number(after) + (calls === 'late' ? LATE_MS : 0), () => {
        if (calls === 'never') return;
        if (calls === 'forged') return atEnd(`${url.slice(0, -8)}forgeryA`);
        atEnd(url);
        if (calls === 'twice') atEnd(url);
      });
    },
  };
}
