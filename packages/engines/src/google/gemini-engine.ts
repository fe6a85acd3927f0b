import type { JsonValue } from '@darkroom-service/contract/json';
import { type Engine, EngineError } from '../engine.ts';
import { createBlockingEngine, type Generated } from '../upstream/blocking-engine.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { createGoogleApi, type GoogleSettings, handOverToGoogle, probeGoogle, withMedia } from './google-api.ts';

const TIMEOUT_MS = 10 * 60_000;
const CONCURRENCY = 20;
/** Reasons for a missing picture that concern the content; every other reason concerns the model. */
const CONTENT = ['SAFETY', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII', 'IMAGE_SAFETY', 'IMAGE_PROHIBITED_CONTENT'];

/** Where Gemini's pictures are made. */
interface GeminiAccess {
  /** Of the engine. */
  readonly name: string;
  readonly secrets: readonly string[];
  readonly api: Upstream;
  /** The path of a model, below the base URL. */
  readonly pathOf: (model: string) => string;
  readonly probe?: NonNullable<Engine['probe']>;
}

/** Creates the engine for Gemini's pictures at the Gemini API. */
export function createGeminiEngine(settings: GoogleSettings): Engine {
  const api = createGoogleApi(settings, TIMEOUT_MS);
  return createGeminiPictures({
    name: 'google',
    secrets: [settings.key],
    api,
    pathOf: (model) => `/models/${model}`,
    probe: (context) => probeGoogle(api, context),
  });
}

/**
 * Creates an engine for Gemini's pictures. Routes set the `parts[]` of a single turn; other values are passed through.
 * A refusal is a successful response without a picture.
 */
export function createGeminiPictures({ name, secrets, api, pathOf, probe }: GeminiAccess): Engine {
  return createBlockingEngine({
    name,
    concurrency: CONCURRENCY,
    timeoutMs: api.timeoutMs,
    secrets,
    handOver: handOverToGoogle,
    async generate({ model, input: { parts, ...input } }, { signal }) {
      const partsWithMedia = withMedia(parts ?? [], (data, mimeType) => ({ mimeType, data }));
      const json = { contents: [{ role: 'user', parts: partsWithMedia }], ...input };
      const url = `${pathOf(model)}:generateContent`;
      const { body } = await api.call({ method: 'POST', url, json, signal, orders: true });
      return readCandidate(body);
    },
    ...(probe === undefined ? {} : { probe }),
  });
}

function readCandidate(body: JsonValue | undefined): Generated {
  const { candidates, promptFeedback } = objectOf(body);
  const { blockReason } = objectOf(promptFeedback);
  if (typeof blockReason === 'string') {
    return { refused: { class: 'content_policy', message: `the prompt was blocked (${blockReason})` } };
  }
  if (!Array.isArray(candidates) || candidates.length === 0) {
    throw new EngineError('upstream', 'Google answered without a candidate', { took: 'unknown' });
  }
  const { content, finishReason, finishMessage } = objectOf(candidates[0]);
  const { parts } = objectOf(content);
  const pictures = (Array.isArray(parts) ? parts : [])
    .map((part: JsonValue) => objectOf(part))
    // Pictures drawn during the model's thinking are not results.
    .filter(({ thought }) => thought !== true)
    .map(({ inlineData }) => objectOf(inlineData).data)
    .filter((data) => typeof data === 'string');
  const [picture] = pictures;
  if (picture !== undefined) return deliverBytes([Buffer.from(picture, 'base64')]);
  const reason = String(finishReason);
  const words = typeof finishMessage === 'string' && finishMessage !== '' ? finishMessage : 'no picture was made';
  return {
    refused: { class: CONTENT.includes(reason) ? 'content_policy' : 'upstream', message: `${words} (${reason})` },
  };
}
