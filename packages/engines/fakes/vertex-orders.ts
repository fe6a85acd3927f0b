import { type InputShape, judgeInput } from './fake-upstream.ts';
import { type GoogleOrder, judgeContent } from './google-orders.ts';

type Input = Readonly<Record<string, unknown>>;

const PEOPLE = ['dont_allow', 'allow_adult', 'allow_all'];
/** Parameters from the reference of Veo at Vertex AI of 2026-11-21 and the types of @google/genai 3.1.0. */
const PARAMETERS: InputShape = {
  sampleCount: { type: 'integer', minimum: 1, maximum: 4 },
  aspectRatio: { type: 'string', enum: ['16:9', '9:16'] },
  durationSeconds: { type: 'integer', enum: [4, 6, 8] },
  generateAudio: { type: 'boolean' },
  negativePrompt: { type: 'string' },
  personGeneration: { type: 'string', enum: PEOPLE },
  resolution: { type: 'string', enum: ['720p', '1080p', '4k'] },
  seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
};
const VEO = /^veo-3\.1(?:-fast|-lite)?-generate-001$/;
const LEVELS = ['MINIMAL', 'LOW', 'MEDIUM', 'HIGH'];
const FORMATS: InputShape = { mimeType: { type: 'string', enum: ['image/png', 'image/jpeg'] } };

/** Validates the body of `predictLongRunning`: one instance. */
export function judgeFilm(body: Input, model: string): GoogleOrder {
  if (!VEO.test(model)) return { missing: `Publisher Model \`${model}\` was not found` };
  const { instances, parameters = {}, ...others } = body;
  const [extra] = Object.keys(others);
  if (extra !== undefined) return { fault: `Unknown name "${extra}"` };
  const [instance, second] = Array.isArray(instances) ? (instances as Input[]) : [];
  if (instance === undefined || second !== undefined) return { fault: 'instances: one' };
  const { prompt, image, lastFrame, referenceImages = [], ...rest } = instance;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return { fault: `instances: unknown name "${unknown}"` };
  if (typeof prompt !== 'string') return { fault: 'prompt is required' };
  const assets = referenceImages as Input[];
  if (assets.some(({ referenceType }) => String(referenceType).toLowerCase() !== 'asset'))
    return { fault: 'referenceType' };
  const given = [image, lastFrame, ...assets.map((asset) => asset.image)].filter((one) => one !== undefined);
  const pictures = given.map(dataUri);
  if (pictures.includes(null)) return { fault: 'an image needs bytesBase64Encoded and mimeType' };
  const isLite = model.includes('lite');
  if (assets.length > (isLite ? 0 : 3)) return { fault: 'referenceImages: too many' };
  if (assets.length > 0 && (image ?? lastFrame) !== undefined) return { fault: 'referenceImages with image' };
  if (lastFrame !== undefined && image === undefined) return { fault: 'lastFrame without image' };
  const settings = parameters as Input;
  const [wrong] = judgeInput(PARAMETERS, settings);
  if (wrong !== undefined) return { fault: `${wrong.field}: ${wrong.message}` };
  if (isLite && (settings.resolution === '4k' || settings.negativePrompt !== undefined)) return { fault: 'lite' };
  const isLong = ['1080p', '4k'].includes(String(settings.resolution)) || assets.length > 0;
  if (isLong && settings.durationSeconds !== 8) return { fault: 'durationSeconds: 8' };
  return { prompt, input: { model, prompt, ...settings, ...(pictures.length === 0 ? {} : { pictures }) } };
}

/** Validates the body of `generateContent` at Vertex AI, which names some settings of the Gemini API differently. */
export function judgePicture(body: Input, model: string): GoogleOrder {
  const { generationConfig = {}, tools = [], ...rest } = body;
  const { thinkingConfig = {}, imageConfig = {}, ...config } = generationConfig as Readonly<Record<string, Input>>;
  const { imageOutputOptions = {}, ...sizes } = imageConfig;
  const { thinkingLevel, ...thinking } = thinkingConfig;
  const [wrong] = judgeInput(FORMATS, imageOutputOptions as Input);
  if (wrong !== undefined) return { fault: `imageOutputOptions.${wrong.field}: ${wrong.message}` };
  if (thinkingLevel !== undefined && !LEVELS.includes(String(thinkingLevel))) return { fault: 'thinkingLevel' };
  if (!(tools as Input[]).every((tool) => JSON.stringify(tool) === '{"googleSearch":{}}')) return { fault: 'tools' };
  const [turn] = Array.isArray(body.contents) ? (body.contents as Input[]) : [];
  // Unlike the Gemini API, Vertex AI needs the role (@ai-sdk/google-vertex and Comfy Router's schema send it always).
  if (turn?.role !== 'user') return { fault: 'Please use a valid role: user, model.' };
  return judgeContent(
    { ...rest, generationConfig: { ...config, imageConfig: sizes, thinkingConfig: thinking } },
    model,
  );
}

function dataUri(value: unknown): string | null {
  const { bytesBase64Encoded: data, mimeType: type, ...others } = (value ?? {}) as Input;
  const isRight = typeof data === 'string' && typeof type === 'string' && /^[A-Za-z0-9+/]+=*$/.test(data);
  return isRight && Object.keys(others).length === 0 ? `data:${type};base64,${data}` : null;
}
