import type { JsonObject } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import type { Answer } from '../upstream/error-map.ts';
import { objectOf } from '../upstream/json-object.ts';
import { modelsIn } from '../upstream/listed-models.ts';
import { deliver } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { costIn, createXaiApi, probeXai, transferToXai, type XaiSettings } from './xai-api.ts';

interface Handle extends JsonObject {
  readonly id: string;
}

const TIMEOUT_MS = 60_000;
const CONCURRENCY = 10;

/** Creates the engine for Grok Imagine's videos, polled by request id. They cannot be canceled. */
export function createXaiFilmsEngine(settings: XaiSettings): Engine {
  const api = createXaiApi(settings, TIMEOUT_MS);
  return createSubmitPollEngine<Handle>(
    {
      name: 'xai',
      concurrency: CONCURRENCY,
      timeoutMs: api.timeoutMs,
      secrets: [settings.key],
      handOver: transferToXai,
      async submit({ model, input }, { signal }) {
        const json = { model, ...input };
        const answer = await api.call({ method: 'POST', url: '/videos/generations', json, signal, orders: true });
        const { request_id: id } = objectOf(answer.body);
        if (typeof id === 'string' && id !== '') return { id };
        return api.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        const answer = await api.call({ url: `/videos/${encodeURIComponent(id)}`, signal, accept: [404] });
        return answer.status === 404 ? { state: 'gone' } : standingOf(api, answer);
      },
      jobOf: ({ id }) => id,
      probe: (context) => probeXai(api, context),
      async models({ signal }) {
        const { body } = await api.call({ url: '/models', signal });
        return modelsIn('xAI', objectOf(body).data);
      },
    },
    settings,
  );
}

/** Reads a video's state: 202, perhaps without a body, while it is being made. A withheld video is also `done`. */
function standingOf(api: Upstream, { status: httpStatus, body }: Answer): UpstreamState {
  const { status, progress, video, error } = objectOf(body);
  const { url, respect_moderation: respected } = objectOf(video);
  if (respected === false) {
    return {
      state: 'failed',
      class: 'content_policy',
      message: 'the film was withheld by the moderation',
      ...costIn(body),
    };
  }
  const word = statusWord(status);
  if (word === 'failed') {
    const reason = failureWords(error) ?? 'the film failed without a reason';
    return { state: 'failed', message: reason, ...costIn(body) };
  }
  if (word === 'expired') return { state: 'failed', class: 'timeout', message: 'the request expired' };
  if (typeof url === 'string' && (word === 'done' || status === undefined)) {
    return { state: 'succeeded', delivery: { ...deliver(api, [url]), ...costIn(body) } };
  }
  if (word === 'done')
    return { state: 'failed', class: 'upstream', message: 'the result holds no film', ...costIn(body) };
  if (word === 'pending' || (status === undefined && httpStatus === 202)) {
    return { state: 'pending', progress: typeof progress === 'number' ? progress : undefined };
  }
  return { state: 'unknown', word: String(status) };
}
