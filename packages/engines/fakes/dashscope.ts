import { ROUTER_INPUTS } from './comfy-router-inputs.ts';
import { type FakeUpstream, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, promptIn, type Reply, rateLimits } from './fake-vendor.ts';
import { listedModels } from './listed-models.ts';

const fault = (code: string, message: string): object => ({ code, message, request_id: 'fake' });
const VIDEOS = '/services/aigc/video-generation/video-synthesis';
const PICTURES = '/services/aigc/multimodal-generation/generation';
const FAILURES: Readonly<Record<string, readonly [code: string, message: string]>> = {
  content: ['DataInspectionFailed', 'The output may contain inappropriate content.'],
  broken: ['InternalError', 'The task could not be made.'],
};

/** Opens a fake of Alibaba's DashScope. Its fields are those that Comfy Router publishes (2026-11-21). */
export async function openFakeDashscope(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'sk-fake-0123456789',
    base: '/api/v1',
    header: 'authorization',
    credentials: (key) => `Bearer ${key}`,
    wrongKey: (given) => [401, fault('InvalidApiKey', `The key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('Throttling.RateQuota', 'Requests rate limit exceeded.')),
      billing: { counted: false, answer: [400, fault('Arrearage', 'The account is in arrears.')] },
      denied: { counted: false, answer: [403, fault('AccessDenied.Unpurchased', 'The model is not activated.')] },
      invalid: { counted: false, answer: [400, fault('InvalidParameter', 'The prompt is too short')] },
      content: {
        counted: false,
        answer: [400, fault('DataInspectionFailed', 'The input may contain inappropriate content.')],
      },
      internal: { counted: true, answer: [500, fault('InternalError', 'Internal error')] },
    },
    order({ method, path, body, headers }) {
      if (method !== 'POST' || ![VIDEOS, PICTURES].includes(path)) return null;
      const { model, ...input } = body;
      const isVideo = path === VIDEOS;
      const shape = ROUTER_INPUTS[`${isVideo ? 'wan' : 'qwen'}/${model}`]?.shape;
      if (shape === undefined) return { fault: [404, fault('ModelNotFound', `There is no model ${model}.`)] };
      if (isVideo && headers['x-dashscope-async'] !== 'enable') {
        return { fault: [403, fault('AccessDenied', 'The model takes only asynchronous calls.')] };
      }
      const [wrong] = judgeInput(shape, input);
      if (wrong !== undefined) return { fault: [400, fault('InvalidParameter', `${wrong.field}: ${wrong.message}`)] };
      const prompt = promptIn(input);
      const { media, messages } = input.input as {
        readonly media?: { url: string }[];
        readonly messages?: { content: { image?: string }[] }[];
      };
      const pictures = [
        ...(media ?? []).map(({ url }) => url),
        ...(messages?.[0]?.content ?? []).flatMap(({ image }) => image ?? []),
      ];
      return {
        prompt,
        input: { prompt, model, parameters: input.parameters, ...(pictures.length === 0 ? {} : { pictures }) },
      };
    },
    accepted(job, image) {
      if (!/^qwen/.test(String(job.input.model)))
        return [200, { output: { task_status: 'PENDING', task_id: job.id }, request_id: 'fake' }];
      const content = job.words.end === 'nothing' ? [{ text: 'No.' }] : [{ image }];
      return [
        200,
        {
          output: { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }] },
          request_id: 'fake',
        },
      ];
    },
    jobOf({ path }) {
      const id = /^\/tasks\/([^/]+)$/.exec(path)?.[1];
      return id === undefined ? null : { id, does: 'check' };
    },
    standing(job, state, video_url): Reply {
      const { end = '', odd } = job.words;
      const told = (output: object): Reply => [200, { output: { task_id: job.id, ...output }, request_id: 'fake' }];
      if (state === 'queued') return told({ task_status: 'PENDING' });
      if (state === 'running') return told({ task_status: odd ?? 'RUNNING' });
      const [code, message] = FAILURES[end] ?? [];
      if (code !== undefined) return told({ task_status: 'FAILED', code, message });
      if (end === 'cancelled') return told({ task_status: 'CANCELED' });
      return told({ task_status: 'SUCCEEDED', ...(end === 'nothing' ? {} : { video_url }) });
    },
    noSuchOrder: [200, { output: { task_id: 'x', task_status: 'UNKNOWN' }, request_id: 'fake' }],
    free({ method, path, query }) {
      if (method !== 'GET' || path !== '/models') return null;
      const models = listedModels('dashscope').filter((id) => id === query.get('model'));
      return [200, { output: { total: models.length, models: models.map((model) => ({ model, name: 'A name' })) } }];
    },
  });
}
