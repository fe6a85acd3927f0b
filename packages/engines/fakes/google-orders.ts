import type { ImageConfig, Interactions } from '@google/genai';
import { judgeInput } from './fake-upstream.ts';
import { oneOf, type ShapeOf, text } from './input-fields.ts';

type Input = Readonly<Record<string, unknown>>;
export type GoogleOrder =
  | { readonly prompt: string; readonly input: Input }
  | { readonly fault: string }
  | { readonly missing: string };

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
/** Ratios that flash models of 3.1 accept in addition. */
const BANNERS = ['1:4', '4:1', '1:8', '8:1'];
const unknownName = (name: string, at: string) => ({
  fault: `Invalid JSON payload received. Unknown name "${name}" at '${at}'`,
});

/** Validates the body of `generateContent`: one turn of parts. */
export function judgeContent(body: Input, model: string): GoogleOrder {
  if (!/^gemini-.*(image|banana)/.test(model)) return { missing: `models/${model} is not found` };
  const { contents, generationConfig = {}, tools = [], safetySettings: _, ...others } = body;
  const [extra] = Object.keys(others);
  if (extra !== undefined) return unknownName(extra, 'body');
  const [turn, second] = Array.isArray(contents) ? (contents as Input[]) : [];
  if (turn === undefined || second !== undefined || !Array.isArray(turn.parts)) return { fault: 'contents: one turn' };
  let prompt = '';
  const pictures: string[] = [];
  for (const part of turn.parts as Input[]) {
    const uri = dataUri(part.inlineData, 'mimeType', 'data');
    if (Object.keys(part).length !== 1) return { fault: 'a part is text or data' };
    if (typeof part.text === 'string') prompt = part.text;
    else if (uri !== null) pictures.push(uri);
    else return { fault: 'parts: a part cannot be read' };
  }
  if (pictures.length > 14) return { fault: 'parts: at most 14 pictures' };
  if (pictures.join('').length > 20_000_000) return { fault: 'Request payload size exceeds the limit' };
  const isSmall = model.includes('lite');
  const { imageConfig = {}, thinkingConfig = {}, responseModalities, ...rest } = generationConfig as Input;
  const faults = [
    ...judgeInput({ seed: { type: 'integer' }, candidateCount: { type: 'integer' } }, rest),
    ...judgeInput(
      {
        aspectRatio: { type: 'string', enum: model.includes('3.1-flash') ? [...RATIOS, ...BANNERS] : RATIOS },
        imageSize: { type: 'string', enum: isSmall ? ['1K'] : ['1K', '2K', '4K'] },
      } satisfies ShapeOf<ImageConfig>,
      imageConfig as Input,
    ),
    ...judgeInput(
      { thinkingLevel: { type: 'string', enum: ['minimal', 'low', 'medium', 'high'] } },
      thinkingConfig as Input,
    ),
  ];
  const [wrong] = faults;
  if (wrong !== undefined) return { fault: `${wrong.field}: ${wrong.message}` };
  if (rest.seed !== undefined && Number(rest.seed) > 2 ** 31 - 1)
    return { fault: 'seed: Value out of range (TYPE_INT32)' };
  if (JSON.stringify(responseModalities) !== '["IMAGE"]') return { fault: 'responseModalities' };
  if (!(tools as Input[]).every((tool) => JSON.stringify(tool) === '{"google_search":{}}')) return { fault: 'tools' };
  return { prompt, input: { model, prompt, imageConfig, ...rest, ...shown(pictures) } };
}

const VIDEO_FORMAT = {
  aspect_ratio: oneOf('16:9', '9:16'),
  duration: text,
  resolution: oneOf('360p', '720p', '1080p', '4k'),
} satisfies ShapeOf<Omit<Interactions.VideoResponseFormat, 'type'>>;
const { enum: TASKS } = oneOf(
  'text_to_video',
  'image_to_video',
  'reference_to_video',
  'edit',
  'extend',
  'upscale',
) satisfies { readonly enum: readonly Interactions.VideoConfig['task'][] };

/**
 * Validates an interaction of Omni, in the background. Tasks and their media follow comfyui-embedded-docs 0.5.15; 1.2
 * makes 15 seconds (vercel.com/changelog/gemini-omni-1-2-flash-now-available-on-ai-gateway).
 */
export function judgeInteraction(body: Input, model: string): GoogleOrder {
  if (!model.includes('omni')) return { missing: `${model} does not support interactions` };
  const {
    model: _,
    background,
    response_modalities,
    input,
    response_format = {},
    generation_config = {},
    ...others
  } = body;
  const [extra] = Object.keys(others);
  if (extra !== undefined) return unknownName(extra, 'body');
  if (background !== true || JSON.stringify(response_modalities) !== '["video"]')
    return { fault: 'response_modalities' };
  const [turn] = Array.isArray(input) ? (input as Input[]) : [];
  const { video_config: { task } = {}, ...settings } = generation_config as { readonly video_config?: Input };
  if (Object.keys(settings).length > 0 || (task !== undefined && !TASKS.some((known) => known === task)))
    return { fault: 'generation_config' };
  if (turn?.type !== 'user_input' || !Array.isArray(turn.content)) return { fault: 'input: one user_input' };
  const { type, ...format } = response_format as Input;
  const [wrong] = judgeInput(VIDEO_FORMAT, format);
  if (wrong !== undefined) return { fault: `response_format.${wrong.field}: ${wrong.message}` };
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(format.duration ?? '10s'))?.[1];
  const longest = model.includes('1.2') && task !== 'extend' ? 15 : 10;
  if (type !== 'video' || Number(seconds) < 3 || Number(seconds) > longest)
    return { fault: `duration: 3s to ${longest}s` };
  let prompt = '';
  const pictures: string[] = [];
  for (const block of turn.content as Input[]) {
    const uri = dataUri(block, 'mime_type', 'data');
    if (block.type === 'text' && typeof block.text === 'string') prompt = block.text;
    else if ((block.type === 'image' || block.type === 'video') && uri !== null) pictures.push(uri);
    else return { fault: 'content: a block cannot be read' };
  }
  const kinds = (turn.content as Input[]).map((block) => block.type).filter((kind) => kind !== 'text');
  const isFramed = kinds.every((kind) => kind === 'image') && [1, 2].includes(kinds.length);
  if (task === 'image_to_video' && !isFramed) return { fault: 'image_to_video needs one or two images' };
  if (task === 'extend' && (kinds.length !== 1 || kinds[0] !== 'video')) return { fault: 'extend needs one video' };
  return { prompt, input: { model, prompt, ...format, ...shown(pictures) } };
}

function shown(pictures: readonly string[]): Input {
  return pictures.length === 0 ? {} : { pictures };
}

function dataUri(value: unknown, typeName: string, dataName: string): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const { [typeName]: type, [dataName]: data } = value as Input;
  const isRight = typeof type === 'string' && typeof data === 'string' && /^[A-Za-z0-9+/]+=*$/.test(data);
  return isRight ? `data:${type};base64,${data}` : null;
}
