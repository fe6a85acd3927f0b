import { minimax } from './comfy-router-films.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, promptIn, type Reply, rateLimits } from './fake-vendor.ts';
import { flag, oneOf } from './input-fields.ts';

const fault = (type: string, message: string, http: number): object => ({
  type: 'error',
  error: { type, message, http_code: String(http) },
  request_id: 'fake',
});
const older = (status_code: number, status_msg: string): Reply => [200, { base_resp: { status_code, status_msg } }];
const hailuo: InputShape = {
  prompt: { type: 'string', max_length: 2000 },
  first_frame_image: { type: 'url' },
  duration: oneOf(6, 10),
  resolution: oneOf('768P', '1080P'),
  prompt_optimizer: flag,
};

/** Input as litellm 1.110.2 sends it: H3's request, with two other resolutions. */
const h3Max: InputShape = { ...minimax, resolution: oneOf('480P', '768P') };

/** Opens a fake of MiniMax's videos, from its pages (2026-11-20): version 2 for H3, version 1 for Hailuo. */
export async function openFakeMinimax(): Promise<FakeUpstream> {
  const isOlder = new Set<string>();
  return await openFakeVendor({
    key: 'minimax-fake-0123456789',
    base: '',
    header: 'authorization',
    credentials: (key) => `Bearer ${key}`,
    wrongKey: (given) => [401, fault('authorized_error', `login fail: ${given} is not valid (1004)`, 401)],
    troubles: {
      ...rateLimits(429, fault('rate_limit_error', 'rate limit (1002)', 429)),
      billing: {
        counted: false,
        answer: [402, fault('insufficient_balance_error', 'insufficient balance (1008)', 402)],
      },
      invalid: { counted: false, answer: [400, fault('bad_request_error', 'The prompt is too short (2013)', 400)] },
      content: {
        counted: false,
        answer: [422, fault('unprocessable_entity_error', 'input new_sensitive (1026)', 422)],
      },
      quietbilling: { counted: false, answer: older(1008, 'insufficient balance') },
      quietcontent: { counted: false, answer: older(1026, 'input new_sensitive') },
      internal: { counted: true, answer: [500, fault('server_error', 'unknown error (1000)', 500)] },
    },
    order({ method, path, body }) {
      if (method !== 'POST' || !/^\/v[12]\/video_generation$/.test(path)) return null;
      const { model, ...input } = body;
      const isH3 = model === 'MiniMax-H3' || model === 'MiniMax-H3-Max';
      if (!isH3 && model !== 'MiniMax-Hailuo-2.3')
        return { fault: [404, fault('not_found_error', `no model ${model}`, 404)] };
      if (isH3 !== path.startsWith('/v2'))
        return { fault: [400, fault('bad_request_error', 'invalid params (2013)', 400)] };
      const [wrong] = judgeInput(isH3 ? (model === 'MiniMax-H3' ? minimax : h3Max) : hailuo, input);
      if (wrong !== undefined)
        return { fault: [400, fault('bad_request_error', `${wrong.field}: ${wrong.message} (2013)`, 400)] };
      const prompt = promptIn(isH3 ? input.content : input.prompt);
      const { content, ...others } = body;
      const parts = (content ?? []) as readonly { readonly image_url?: { readonly url: string } }[];
      const pictures = parts.flatMap(({ image_url }) => image_url?.url ?? []);
      if (!isH3) return { prompt, input: others };
      return { prompt, input: { prompt, ...others, ...(pictures.length === 0 ? {} : { pictures }) } };
    },
    accepted(job) {
      if (!String(job.input.model).startsWith('MiniMax-H3')) isOlder.add(job.id);
      return [
        200,
        { task_id: job.id, ...(isOlder.has(job.id) ? { base_resp: { status_code: 0, status_msg: 'success' } } : {}) },
      ];
    },
    jobOf({ path, query }) {
      const id = /^\/v2\/query\/video_generation\/([^/]+)$/.exec(path)?.[1];
      if (id !== undefined) return { id, does: 'check' };
      return path === '/v1/query/video_generation' ? { id: query.get('task_id') ?? '', does: 'check' } : null;
    },
    standing(job, state, url): Reply {
      const { end = '', odd } = job.words;
      if (isOlder.has(job.id)) {
        if (state === 'queued') return [200, { task_id: job.id, status: 'Queueing', base_resp: { status_code: 0 } }];
        if (state === 'running')
          return [200, { task_id: job.id, status: odd ?? 'Processing', base_resp: { status_code: 0 } }];
        if (end === 'content')
          return [200, { status: 'Fail', base_resp: { status_code: 1027, status_msg: 'output sensitive' } }];
        return [200, { task_id: job.id, status: 'Success', file_id: job.id, base_resp: { status_code: 0 } }];
      }
      if (state === 'queued') return [200, { task: { id: job.id, status: 'queued' } }];
      if (state === 'running') return [200, { task: { id: job.id, status: odd ?? 'running' } }];
      if (end === 'content')
        return [200, { task: { status: 'failed', error: { code: 1027, message: 'output sensitive' } } }];
      if (end === 'broken')
        return [200, { task: { status: 'failed', error: { code: 1000, message: 'It could not be made.' } } }];
      if (end === 'expired' || end === 'cancelled') return [200, { task: { status: end } }];
      return [200, { task: { id: job.id, status: 'succeeded', content: end === 'nothing' ? {} : { url } } }];
    },
    noSuchOrder: [404, fault('not_found_error', 'task not found', 404)],
    free: ({ path }) => (path === '/v2/query/video_generation' ? [200, { tasks: [], total: 0 }] : null),
    file: ({ path, query }) => (path === '/v1/files/retrieve' ? query.get('file_id') : null),
    fileAnswer: (url) => [200, { file: { download_url: url }, base_resp: { status_code: 0 } }],
  });
}
