import type { JsonObject } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { createFreeProbe } from '../upstream/free-probe.ts';
import { objectOf } from '../upstream/json-object.ts';
import { namesFound } from '../upstream/listed-models.ts';
import { deliver } from '../upstream/output-list.ts';
import { failureWords } from '../upstream/reasons.ts';
import { statusWord } from '../upstream/status-word.ts';
import { createSubmitPollEngine, type UpstreamState } from '../upstream/submit-poll-engine.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import type { VendorSettings } from '../upstream/vendor-settings.ts';
import {
  classOfDashscopeCode,
  createDashscope,
  hasModel,
  PROBE,
  pathOfModel,
  transferToDashscope,
} from './dashscope-api.ts';

interface Handle extends JsonObject {
  readonly id: string;
}

const TIMEOUT_MS = 60_000;
const CONCURRENCY = 10;
const VIDEOS = '/services/aigc/video-generation/video-synthesis';

/** Creates the engine for Wan's and HappyHorse's videos: tasks that are polled. Running ones cannot be canceled. */
export function createDashscopeFilmsEngine(settings: VendorSettings): Engine {
  const api = createDashscope(settings, TIMEOUT_MS);
  return createSubmitPollEngine<Handle>(
    {
      name: 'dashscope',
      concurrency: CONCURRENCY,
      timeoutMs: api.timeoutMs,
      secrets: [settings.key],
      handOver: transferToDashscope(settings),
      async submit({ model, input }, { signal }) {
        const headers = { 'x-dashscope-async': 'enable' };
        const json = { model, ...input };
        const answer = await api.call({ method: 'POST', url: VIDEOS, json, headers, signal, orders: true });
        const { task_id: id } = objectOf(objectOf(answer.body).output);
        if (typeof id === 'string' && id !== '') return { id };
        return api.unmade(answer, 'took the order but named no id');
      },
      async check({ id }, { signal }) {
        const { body } = await api.call({ url: `/tasks/${encodeURIComponent(id)}`, signal });
        return standingOf(api, objectOf(objectOf(body).output));
      },
      jobOf: ({ id }) => id,
      models: ({ signal }, asked) => namesFound(api, asked, pathOfModel, signal, hasModel),
      probe: createFreeProbe(api, PROBE, { has: ['output'] }),
    },
    settings,
  );
}

function standingOf(api: Upstream, { task_status: status, video_url: url, code, message }: JsonObject): UpstreamState {
  switch (statusWord(status)) {
    case 'pending':
    case 'running':
    case 'suspended':
      return { state: 'pending', word: String(status) };
    case 'unknown':
      return { state: 'gone' };
    case 'canceled':
      return { state: 'canceled' };
    case 'failed': {
      const reason = failureWords(message) ?? 'the task failed without a reason';
      return { state: 'failed', class: classOfDashscopeCode(String(code)), message: reason };
    }
    case 'succeeded':
      return typeof url === 'string'
        ? { state: 'succeeded', delivery: deliver(api, [url]) }
        : { state: 'failed', class: 'upstream', message: 'the result holds no file' };
    default:
      return { state: 'unknown', word: String(status) };
  }
}
