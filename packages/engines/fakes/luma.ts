import { ROUTER_INPUTS } from './comfy-router-inputs.ts';
import type { FakeJob } from './fake-jobs.ts';
import { type FakeUpstream, type InputShape, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, type Reply, rateLimits } from './fake-vendor.ts';
import { flag, needed, oneOf, text } from './input-fields.ts';

const fault = (detail: unknown): object => ({ detail });
const reference = { type: 'object', fields: { url: text, data: text, media_type: text, generation_id: text } } as const;
const ray: InputShape = {
  prompt: needed,
  type: { type: 'any', enum: ['video'], required: true },
  aspect_ratio: oneOf('9:16', '3:4', '1:1', '4:3', '16:9', '21:9'),
  video: {
    type: 'object',
    fields: {
      duration: oneOf('5s', '10s'),
      exr_export: flag,
      hdr: flag,
      loop: flag,
      resolution: oneOf('360p', '540p', '720p', '1080p'),
      start_frame: reference,
      end_frame: reference,
    },
  },
};
const source = {
  type: 'object',
  required: true,
  fields: { ...reference.fields, media_type: oneOf('video/mp4') },
} as const;
const resolution = oneOf('360p', '540p', '720p', '1080p');
const STRENGTHS = ['adhere', 'flex', 'reimagine'].flatMap((kind) => [1, 2, 3].map((step) => `${kind}_${step}`));
/** Inputs by `type`, from the types of luma-agents 0.5.0. */
const FROM_VIDEO: Readonly<Record<string, InputShape>> = {
  video_edit: {
    prompt: needed,
    type: oneOf('video_edit'),
    source,
    video: {
      type: 'object',
      fields: {
        resolution,
        edit: { type: 'object', fields: { auto_controls: flag, strength: oneOf(...STRENGTHS) } },
      },
    },
  },
  video_reframe: {
    prompt: needed,
    type: oneOf('video_reframe'),
    source,
    aspect_ratio: oneOf('9:16', '3:4', '1:1', '4:3', '16:9', '21:9'),
    video: { type: 'object', fields: { resolution } },
  },
};
const uni = ROUTER_INPUTS['luma_2/uni-1']?.shape ?? {};
const INPUTS: Readonly<Record<string, InputShape>> = { 'uni-1': uni, 'uni-1-max': uni };
const FAILURES: Readonly<Record<string, string>> = {
  content: 'content_moderated',
  broken: 'generation_failed',
  budget: 'budget_exhausted',
  size: 'image_too_large',
  type: 'unsupported_format',
  corrupt: 'corrupt_input',
  order: 'invalid_request',
  rate: 'rate_limited',
};

/**
 * Opens a fake of Luma's Agents API, from its reference (docs.agents.lumalabs.ai, 2026-11-21), Luma's client for Python
 * (luma-agents 0.5.0) and the copy that Comfy Router publishes.
 */
export async function openFakeLuma(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'luma-fake-0123456789',
    base: '/v1',
    header: 'authorization',
    credentials: (key) => `Bearer ${key}`,
    wrongKey: (given) => [401, fault(`The key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('Too many requests.')),
      billing: { counted: false, answer: [402, fault('Insufficient credits.')] },
      invalid: { counted: false, answer: [422, fault('The prompt is too short')] },
      internal: { counted: true, answer: [500, fault('Internal error')] },
      overloaded: { counted: false, answer: [503, fault('Service unavailable')] },
    },
    order({ method, path, body }) {
      if (method !== 'POST' || path !== '/generations') return null;
      const { model, ...input } = body;
      const shape = model === 'ray-3.2' ? (FROM_VIDEO[String(input.type)] ?? ray) : INPUTS[String(model)];
      if (shape === undefined) return { fault: [404, fault(`There is no model ${model}.`)] };
      const [wrong] = judgeInput(shape, input);
      if (wrong !== undefined) return { fault: [422, fault(`${wrong.field}: ${wrong.message}`)] };
      const { source } = input as { readonly source?: { readonly data?: string; readonly media_type?: string } };
      const shown = source?.data === undefined ? {} : { source: `data:${source.media_type};base64,${source.data}` };
      return { prompt: String(input.prompt), input: { ...body, ...shown } };
    },
    accepted: (job) => [201, { ...generation(job), state: 'queued' }],
    jobOf({ path }) {
      const id = /^\/generations\/([^/]+)$/.exec(path)?.[1];
      return id === undefined ? null : { id, does: 'check' };
    },
    standing(job, state, url): Reply {
      const base = generation(job);
      if (state === 'queued') return [200, { ...base, state: 'queued' }];
      if (state === 'running') return [200, { ...base, state: job.words.odd ?? 'processing' }];
      const { end = '' } = job.words;
      const failure_code = FAILURES[end];
      if (failure_code !== undefined)
        return [200, { ...base, state: 'failed', failure_code, failure_reason: `It ended: ${end}.` }];
      const output = end === 'nothing' ? [] : [{ type: base.type === 'video' ? 'video' : 'image', url, layer: null }];
      return [200, { ...base, state: 'completed', output }];
    },
    noSuchOrder: [404, fault('Not found')],
    free: () => null,
  });
}

function generation({ id, input: { model, type = 'image' } }: FakeJob) {
  const created_at = '2026-11-21T00:00:00Z';
  return { id, model, type, created_at, output: [], failure_code: null, failure_reason: null };
}
