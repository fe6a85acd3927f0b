import type { JsonObject } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { newsIn } from '../upstream/callback-news.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliver, seedIn } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { reportedTokens } from '../upstream/reported-cost.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { type ArkSettings, classOfArkCode, createArk, probeArk, transferToArk } from './ark.ts';

interface Handle extends JsonObject {
  readonly id: string;
}

const TASKS = '/contents/generations/tasks';
const TIMEOUT_MS = 60_000;
const CONCURRENCY = 10;

/**
 * Creates the engine for Seedance: videos, as tasks that are polled. The API can cancel only queued tasks, so
 * cancellation is not offered.
 */
export function createSeedanceEngine(settings: ArkSettings): Engine {
  const ark = createArk(settings, { timeoutMs: TIMEOUT_MS });
  return createSubmitPollEngine<Handle>(
    {
      name: 'byteplus',
      concurrency: CONCURRENCY,
      timeoutMs: ark.timeoutMs,
      secrets: [settings.key],
      handOver: transferToArk,
      async submit({ model, input }, { signal, callbackUrl }) {
        const json = { model, ...input, ...(callbackUrl === null ? {} : { callback_url: callbackUrl }) };
        const answer = await ark.call({ method: 'POST', url: TASKS, json, signal, orders: true });
        const { id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id };
        return ark.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        const answer = await ark.call({ url: `${TASKS}/${encodeURIComponent(id)}`, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(ark, objectOf(answer.body));
      },
      jobOf: ({ id }) => id,
      // ModelArk calls at each change of the status, without a signature.
      readCallback: async ({ body }) => newsIn(body, ['status'], ['queued', 'running']),
      probe: (context) => probeArk(ark, context),
    },
    settings,
  );
}

/** Reads a task's state. A failed task is reported with HTTP 200. */
function standingOf(ark: Upstream, task: JsonObject): UpstreamState {
  const { status, seed, revised_prompt: revised } = task;
  switch (statusWord(status)) {
    case 'queued':
    case 'running':
      return { state: 'pending', word: String(status) };
    case 'cancelled':
      return { state: 'canceled' };
    case 'expired':
      return { state: 'failed', class: 'timeout', message: 'the task expired before it was made' };
    case 'failed': {
      const { code } = objectOf(task.error);
      const reason = failureWords(task.error) ?? 'the task failed without a reason';
      return { state: 'failed', class: classOfArkCode(String(code)), message: reason };
    }
    case 'succeeded': {
      const { video_url: url } = objectOf(task.content);
      const usage = reportedTokens({ video: objectOf(task.usage).completion_tokens });
      if (typeof url !== 'string')
        return { state: 'failed', class: 'upstream', message: 'the result holds no file', ...usage };
      const facts = { seed: seedIn(seed), revisedPrompt: typeof revised === 'string' ? revised : null };
      return { state: 'succeeded', delivery: { ...deliver(ark, [url], facts), ...usage } };
    }
    default:
      return { state: 'unknown', word: String(status) };
  }
}
