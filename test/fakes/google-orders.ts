import { type InputShape, judgeInput } from './fake-upstream.ts';

type Input = Readonly<Record<string, unknown>>;
export type GoogleOrder =
  | { readonly prompt: string; readonly input: Input }
  | { readonly fault: string }
  | { readonly missing: string };

const RATIOS = ['1:1', '2:3', '3:2', '3:4', '4:3', '4:5', '5:4', '9:16', '16:9', '21:9'];
/** What flash models of 3.1 take besides. */
const BANNERS = ['1:4', '4:1', '1:8', '8:1'];
const unknownName = (name: string, at: string) => ({
  fault: `Invalid JSON payload received. Unknown name "${name}" at '${at}'`,
});

/** `generateContent`: one turn of parts. */
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
      },
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

/** Veo's `predictLongRunning`. What only Vertex takes is refused. */
export function judgeOperation(body: Input, model: string): GoogleOrder {
  if (!/^veo-3\.1.*-preview$/.test(model)) return { missing: `models/${model} is not found` };
  const { instances, parameters = {}, ...others } = body;
  const [extra] = Object.keys(others);
  if (extra !== undefined) return unknownName(extra, 'body');
  const [instance, second] = Array.isArray(instances) ? (instances as Input[]) : [];
  if (instance === undefined || second !== undefined) return { fault: 'instances: exactly one' };
  const { prompt, image, lastFrame, referenceImages = [], ...odd } = instance;
  const [strange] = Object.keys(odd);
  if (strange !== undefined) return unknownName(strange, 'instances[0]');
  const references = referenceImages as Input[];
  const frames = [image, lastFrame].filter((frame) => frame !== undefined);
  const pictures = [...frames, ...references.map((reference) => reference.image)].map((picture) =>
    dataUri(picture, 'mimeType', 'bytesBase64Encoded'),
  );
  if (pictures.includes(null)) return { fault: 'images must be bytesBase64Encoded with a mimeType' };
  if (references.length > 3 || !references.every(({ referenceType }) => referenceType === 'asset')) {
    return { fault: 'referenceImages: at most three assets' };
  }
  if (lastFrame !== undefined && image === undefined) return { fault: 'lastFrame needs image' };
  const [wrong] = judgeInput(FILM, parameters as Input);
  if (wrong !== undefined) return { fault: `\`${wrong.field}\` isn't supported by this model: ${wrong.message}` };
  const { resolution = '720p', durationSeconds = 8, negativePrompt, personGeneration } = parameters as Input;
  if (model.includes('lite') && (resolution === '4k' || negativePrompt !== undefined || references.length > 0)) {
    return { fault: 'veo-3.1-lite has no 4k, no negativePrompt and no referenceImages' };
  }
  if (pictures.length > 0 && !['allow_adult', undefined].includes(personGeneration as string | undefined)) {
    return { fault: `personGeneration: ${String(personGeneration)} is not supported with pictures` };
  }
  if ((resolution !== '720p' || references.length > 0) && durationSeconds !== 8) return { fault: 'needs 8 seconds' };
  return { prompt: String(prompt), input: { prompt, ...(parameters as Input), ...shown(pictures as string[]) } };
}

const FILM: InputShape = {
  aspectRatio: { type: 'string', enum: ['16:9', '9:16'] },
  durationSeconds: { type: 'integer', enum: [4, 6, 8] },
  resolution: { type: 'string', enum: ['720p', '1080p', '4k'] },
  negativePrompt: { type: 'string' },
  personGeneration: { type: 'string', enum: ['dont_allow', 'allow_adult', 'allow_all'] },
  sampleCount: { type: 'integer' },
};

/** Omni's interactions, in the background. */
export function judgeInteraction(body: Input, model: string): GoogleOrder {
  if (!model.includes('omni')) return { missing: `${model} does not support interactions` };
  const { model: _, background, response_modalities, input, response_format = {}, ...others } = body;
  const [extra] = Object.keys(others);
  if (extra !== undefined) return unknownName(extra, 'body');
  if (background !== true || JSON.stringify(response_modalities) !== '["video"]')
    return { fault: 'response_modalities' };
  const [turn] = Array.isArray(input) ? (input as Input[]) : [];
  if (turn?.type !== 'user_input' || !Array.isArray(turn.content)) return { fault: 'input: one user_input' };
  const { type, ...format } = response_format as Input;
  const shape = { aspect_ratio: { type: 'string', enum: ['16:9', '9:16'] }, duration: { type: 'string' } } as const;
  const [wrong] = judgeInput(shape, format);
  if (wrong !== undefined) return { fault: `response_format.${wrong.field}: ${wrong.message}` };
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(format.duration ?? '10s'))?.[1];
  if (type !== 'video' || Number(seconds) < 3 || Number(seconds) > 10) return { fault: 'duration: 3s to 10s' };
  let prompt = '';
  const pictures: string[] = [];
  for (const block of turn.content as Input[]) {
    const uri = dataUri(block, 'mime_type', 'data');
    if (block.type === 'text' && typeof block.text === 'string') prompt = block.text;
    else if ((block.type === 'image' || block.type === 'video') && uri !== null) pictures.push(uri);
    else return { fault: 'content: a block cannot be read' };
  }
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
