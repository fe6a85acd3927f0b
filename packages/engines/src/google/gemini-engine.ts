import type { JsonObject, JsonValue } from '@darkroom-service/contract';
import type { Engine } from '../engine.ts';
import { createBlockingEngine, type Generated } from '../upstream/blocking-engine.ts';
import type { Answer } from '../upstream/error-map.ts';
import { subjectOf } from '../upstream/error-words.ts';
import { objectOf } from '../upstream/json-object.ts';
import { deliverBytes } from '../upstream/output-list.ts';
import { hasEmpty, spokenIn } from '../upstream/reasons.ts';
import type { Upstream } from '../upstream/upstream-call.ts';
import { tokensOfContent } from './counted-tokens.ts';
import { createGoogleApi, type GoogleSettings, probeGoogle, transferToGoogle, withMedia } from './google-api.ts';

const TIMEOUT_MS = 10 * 60_000;
const CONCURRENCY = 20;
export const NO_CANDIDATE = 'it answered without a candidate';
/** Reasons for a missing picture that concern the content. For all others, the words tell. */
const CONTENT = /SAFETY|PROHIBITED|BLOCKLIST|SPII|MODEL_ARMOR|JAILBREAK/;

/** Access to an API that makes Gemini's pictures. */
interface GeminiAccess {
  /** Name of the engine. */
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
    handOver: transferToGoogle,
    async generate({ model, input }, { signal }) {
      const url = `${pathOf(model)}:generateContent`;
      const answer = await api.call({ method: 'POST', url, json: contentOf(input), signal, orders: true });
      return readCandidate(answer) ?? api.unmade(answer, NO_CANDIDATE);
    },
    ...(probe === undefined ? {} : { probe }),
  });
}

/** Returns the body of `generateContent`: one turn. */
export function contentOf({ parts, ...input }: JsonObject): JsonObject {
  const partsWithMedia = withMedia(parts ?? [], (data, mimeType) => ({ mimeType, data }));
  return { contents: [{ role: 'user', parts: partsWithMedia }], ...input };
}

/** Reads the answer of `generateContent`; null if it neither made nor refused a picture. */
export function readCandidate(answer: Pick<Answer, 'body' | 'ordered'>): Generated | null {
  const body = objectOf(answer.body);
  const { candidates, promptFeedback } = body;
  const { blockReason, blockReasonMessage: why } = objectOf(promptFeedback);
  const tokens = tokensOfContent(answer.body);
  if (typeof blockReason === 'string') {
    const words = typeof why === 'string' && why !== '' ? `: ${why}` : '';
    return {
      refused: { class: 'content_policy', message: `the prompt was blocked (${blockReason})${words}` },
      ...tokens,
    };
  }
  const [candidate] = Array.isArray(candidates) ? candidates : [];
  if (candidate === undefined) {
    const isWhole = hasEmpty(body, 'candidates') || body.usageMetadata !== undefined;
    return isWhole ? { refused: { class: 'upstream', message: NO_CANDIDATE }, ...tokens } : null;
  }
  const { content, finishReason, finishMessage } = objectOf(candidate);
  const picture = pictureIn(objectOf(content).parts);
  if (picture !== undefined) {
    return { ...deliverBytes([Buffer.from(picture, 'base64')]), ...tokens };
  }
  const reason = String(finishReason);
  const spoken = spokenIn(answer.body);
  const words = typeof finishMessage === 'string' && finishMessage !== '' ? finishMessage : 'no picture was made';
  const message = `${words} (${reason})${spoken === null ? '' : `: ${spoken}`}`;
  const isOfContent = CONTENT.test(reason) || subjectOf(message, answer.ordered?.() ?? []) === 'content_policy';
  return { refused: { class: isOfContent ? 'content_policy' : 'upstream', message }, ...tokens };
}

/**
 * Returns the result in base64. Pictures of the model's thinking are drafts, but if there is nothing else, the last of
 * them is the result (ai.google.dev/gemini-api/docs/image-generation, thinking process).
 */
function pictureIn(parts: JsonValue | undefined): string | undefined {
  const pictures = (Array.isArray(parts) ? parts : [])
    .map((part: JsonValue) => objectOf(part))
    .map(({ thought, inlineData }) => ({ isDraft: thought === true, data: objectOf(inlineData).data }))
    .filter((picture): picture is { isDraft: boolean; data: string } => typeof picture.data === 'string');
  return (pictures.find(({ isDraft }) => !isDraft) ?? pictures.at(-1))?.data;
}
