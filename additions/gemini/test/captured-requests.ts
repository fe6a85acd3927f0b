import type { GeminiJson } from './gemini-service.ts';

/** A request as an app or a published client sends it. */
interface CapturedRequest {
  readonly app: string;
  readonly path: string;
  readonly body: GeminiJson;
  /** Names of the fields that the answer says it ignored. */
  readonly ignored?: string;
}

const FOX = 'a red fox in the snow';
const turn = (...parts: object[]) => ({ contents: [{ parts, role: 'user' }] });
const IMAGEN = 'models/imagen-4.0-generate-001:predict';

/** Requests of running apps and published clients. @param data a picture in base64 */
export function capturedRequests(data: string): readonly CapturedRequest[] {
  const steps = [
    {
      type: 'user_input',
      content: [
        { text: 'at night', type: 'text' },
        { data, mime_type: 'image/png', type: 'image' },
      ],
    },
  ];
  const imageConfig = { aspectRatio: '16:9', imageSize: '2K' };
  return [
    {
      app: 'Open WebUI',
      path: '/v1beta/models/sketch:generateContent',
      body: { contents: [{ parts: [{ text: FOX }] }] },
    },
    {
      app: 'Open WebUI, edit',
      path: '/v1beta/models/sketch:generateContent',
      body: { contents: [{ parts: [{ text: 'at night' }, { inline_data: { mime_type: 'image/png', data } }] }] },
    },
    {
      app: 'Open WebUI, predict',
      path: '/v1beta/models/sketch:predict',
      body: {
        instances: { prompt: FOX },
        parameters: { sampleCount: 1, outputOptions: { mimeType: 'image/png' } },
      },
    },
    {
      app: 'SillyTavern',
      path: '/v1beta/models/sketch:generateContent',
      body: {
        ...turn({ text: 'a red fox' }),
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
        generationConfig: { candidateCount: 1, maxOutputTokens: 300 },
      },
      ignored: 'max_output_tokens, safety_settings',
    },
    {
      app: 'SillyTavern, predict',
      path: `/v1beta/${IMAGEN}`,
      body: {
        instances: [{ prompt: 'a red fox' }],
        parameters: {
          sampleCount: 1,
          aspectRatio: '1:1',
          personGeneration: 'allow_adult',
          safetySetting: 'block_low_and_above',
          outputOptions: { mimeType: 'image/png', compressionQuality: 100 },
        },
      },
      ignored: 'person_generation, safety_setting, output_compression',
    },
    {
      app: 'google-genai for Python',
      path: '/v1/models/sketch:generateContent',
      body: { ...turn({ text: FOX }), generationConfig: { responseModalities: ['IMAGE'], imageConfig } },
    },
    {
      app: 'google-genai for Python, edit',
      path: '/v1/models/sketch:generateContent',
      body: turn({ text: 'at night' }, { inlineData: { data, mime_type: 'image/png' } }),
    },
    {
      app: 'google-genai for Python, a chat',
      path: '/v1/models/sketch:generateContent',
      body: {
        contents: [
          { parts: [{ text: 'a fox' }], role: 'user' },
          { parts: [{ inlineData: { data, mime_type: 'image/png' } }], role: 'model' },
          { parts: [{ text: 'make it blue' }], role: 'user' },
        ],
        generationConfig: {},
      },
    },
    {
      app: 'google-genai for Python, a stream',
      path: '/v1/models/sketch:streamGenerateContent?alt=sse',
      body: turn({ text: 'a fox' }),
    },
    {
      app: 'google-genai for Python, Vertex AI',
      path: '/v1beta1/publishers/google/models/sketch:predict',
      body: { instances: [{ prompt: 'a hill' }], parameters: { sampleCount: 1, aspectRatio: '16:9' } },
    },
    {
      app: 'google-genai for Python, interaction',
      path: '/v1/interactions',
      body: { model: 'sketch', input: FOX, response_modalities: ['image'] },
    },
    {
      app: 'google-genai for Python, interaction with a picture',
      path: '/v1/interactions',
      body: { model: 'sketch', input: steps, response_modalities: ['image'] },
    },
    {
      app: '@google/genai',
      path: '/v1beta/models/sketch:generateContent',
      body: {
        ...turn({ text: 'fox' }, { inlineData: { mimeType: 'image/png', data } }),
        generationConfig: { responseModalities: ['IMAGE'], imageConfig },
      },
    },
    {
      app: '@google/genai, interaction',
      path: '/v1beta/interactions',
      body: { model: 'sketch', input: 'a red fox', response_modalities: ['image'] },
    },
    { app: 'LiteLLM', path: `/${IMAGEN}`, body: { instances: [{ prompt: 'fox' }], parameters: {} } },
    {
      app: '@ai-sdk/google',
      path: `/v1beta/${IMAGEN}`,
      body: { instances: [{ prompt: 'fox' }], parameters: { sampleCount: 1, aspectRatio: '1:1' } },
    },
    {
      app: '@ai-sdk/google, generateContent',
      path: '/v1beta/models/gemini-3.1-flash-image:generateContent',
      body: {
        ...turn({ text: 'fox' }),
        generationConfig: { responseModalities: ['IMAGE'], imageConfig: { aspectRatio: '16:9' } },
      },
    },
    {
      app: 'n8n',
      path: '/v1beta/models/gemini-2.5-flash-image:generateContent',
      body: { ...turn({ text: 'a red fox' }), generationConfig: { responseModalities: [null, null] } },
    },
  ];
}
