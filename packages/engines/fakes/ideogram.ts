import { ROUTER_INPUTS } from './comfy-router-inputs.ts';
import type { Exchange } from './fake-server.ts';
import { type FakeUpstream, judgeInput } from './fake-upstream.ts';
import { openFakeVendor, promptIn, rateLimits } from './fake-vendor.ts';

const fault = (error: string): object => ({ error });

/** Opens a fake of Ideogram's pictures from text. Its fields, in a form, are those that Comfy Router publishes. */
export async function openFakeIdeogram(): Promise<FakeUpstream> {
  return await openFakeVendor({
    key: 'ideogram-fake-0123456789',
    base: '',
    header: 'api-key',
    credentials: (key) => key,
    wrongKey: (given) => [401, fault(`The key ${given} is not valid.`)],
    troubles: {
      ...rateLimits(429, fault('Too many requests in flight.')),
      billing: { counted: false, answer: [402, fault('Not enough credits.')] },
      flat: { counted: false, answer: [400, fault('Not enough credits.')] },
      invalid: { counted: false, answer: [400, fault('The prompt is too short.')] },
      content: { counted: false, answer: [422, fault('Prompt failed the safety check.')] },
      internal: { counted: true, answer: [500, fault('Internal error')] },
      overloaded: { counted: false, answer: [503, fault('Service unavailable')] },
    },
    bodyOf: readForm,
    order({ method, path, body }) {
      const [, model] = /^\/v1\/([^/]+)\/generate$/.exec(path) ?? [];
      if (method !== 'POST' || model === undefined) return null;
      const shape = ROUTER_INPUTS[`ideogram/${model}`]?.shape;
      if (shape === undefined) return { fault: [404, fault('Not found')] };
      const [wrong] = judgeInput(shape, body);
      if (wrong !== undefined) return { fault: [400, fault(`${wrong.field}: ${wrong.message}`)] };
      if ((body.text_prompt === undefined) === (body.json_prompt === undefined))
        return { fault: [400, fault('Send one of text_prompt and json_prompt.')] };
      const { text_prompt: prompt, ...input } = body;
      return { prompt: promptIn(prompt ?? body.json_prompt), input: { prompt, ...input } };
    },
    accepted(job, url) {
      const { end } = job.words;
      const picture = { prompt: 'a fox', resolution: '2048x2048', seed: 7, is_image_safe: end !== 'unsafe' };
      const data = end === 'nothing' ? [] : [{ ...picture, ...(end === 'unsafe' ? { url: '' } : { url }) }];
      return [200, { created: '2026-11-21T00:00:00Z', data }];
    },
    jobOf: () => null,
    noSuchOrder: [404, fault('Not found')],
    free: ({ method, path }) => (method === 'GET' && path === '/models' ? [200, { models: [] }] : null),
  });
}

async function readForm({ bytes, headers }: Exchange): Promise<Record<string, unknown>> {
  const type = headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data')) return { type };
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData();
  return Object.fromEntries(
    [...form].map(([name, value]) => [
      name,
      /^(true|false|\{.*)$/s.test(String(value)) ? JSON.parse(String(value)) : value,
    ]),
  );
}
