import { type FieldShape, type InputShape, judgeInput } from './fake-upstream.ts';

type Input = Readonly<Record<string, unknown>>;
type JudgedOrder =
  | { readonly prompt: string; readonly input: Input; readonly externalId: string | undefined }
  | { readonly status: number; readonly code: number; readonly fault: string };

const refuse = (fault: string): JudgedOrder => ({ status: 400, code: 1201, fault });
const TEXT: FieldShape = { type: 'string' };
const RATIOS = { type: 'string', enum: ['16:9', '9:16', '1:1', '4:3', '3:4', '3:2', '2:3', '21:9'] } as const;
const FILM_RATIOS = { type: 'string', enum: ['16:9', '9:16', '1:1'] } as const;
const COUNT: FieldShape = { type: 'integer' };
const SECONDS = Array.from({ length: 13 }, (_, at) => at + 3);

/** Validates a newer order: `{ prompt | contents, settings, options }`. @param path call and model */
export function judgeNewOrder(path: string, body: Input): JudgedOrder {
  const [call = '', model = ''] = path.split('/');
  const models = ['kling-3.0-turbo', 'kling-3.0', 'kling-2.6', 'kling-2.5-turbo'];
  if (!['text-to-video', 'image-to-video'].includes(call) || !models.includes(model)) {
    return { status: 404, code: 1203, fault: `The requested resource does not exist: ${path}` };
  }
  const { prompt, contents = [], settings = {}, options = {}, ...others } = body;
  const [extra] = Object.keys(others);
  if (extra !== undefined) return refuse(`unknown field ${extra}`);
  if (!Array.isArray(contents)) return refuse('contents should be a list');
  const isTurbo = model.includes('turbo');
  const shape: InputShape = {
    resolution: { type: 'string', enum: isTurbo ? ['720p', '1080p'] : ['720p', '1080p', '4k'] },
    duration: { type: 'integer', enum: SECONDS },
    ...(call === 'text-to-video' ? { aspect_ratio: FILM_RATIOS } : {}),
    ...(isTurbo ? {} : { audio: { type: 'string', enum: ['native', 'original', 'off'] } as const }),
    ...(model === 'kling-3.0' ? { multi_shot: { type: 'boolean' } as const } : {}),
  };
  const [wrong] = judgeInput(shape, settings as Input);
  if (wrong !== undefined) return refuse(`settings.${wrong.field}: ${wrong.message}`);
  const [odd] = judgeInput({ external_task_id: TEXT, callback_url: TEXT }, options as Input);
  if (odd !== undefined) return refuse(`options.${odd.field}: ${odd.message}`);
  const pictures: string[] = [];
  let text = prompt;
  for (const item of contents as Input[]) {
    if (item.type === 'prompt' && typeof item.text === 'string') text = item.text;
    else if (['first_frame', 'last_frame'].includes(String(item.type)) && isPicture(item.url)) {
      pictures.push(asDataUri(item.url));
    } else return refuse(`contents: ${String(item.type)} cannot be used`);
  }
  const hasFirst = (contents as Input[]).some(({ type }) => type === 'first_frame');
  if ((call === 'image-to-video') !== hasFirst) return refuse('a first_frame belongs to image-to-video');
  if (call === 'text-to-video' && typeof prompt !== 'string') return refuse('prompt is required');
  if (String(text ?? '').length > 3072) return refuse('prompt: at most 3072 characters');
  if (/-2\.[56]/.test(model) && ![5, 10, undefined].includes((settings as { duration?: number }).duration)) {
    return refuse('settings.duration: 5 or 10');
  }
  const { external_task_id: externalId } = options as { external_task_id?: string };
  const input = { prompt: text, settings, ...(pictures.length === 0 ? {} : { pictures }) };
  return { prompt: String(text ?? ''), input, externalId };
}

const OLDER_COMMON: InputShape = {
  model_name: { type: 'string', required: true, enum: ['kling-v3', 'kling-v3-omni', 'kling-v2-1'] },
  prompt: TEXT,
  external_task_id: TEXT,
  callback_url: TEXT,
};
const OLDER_FILM: InputShape = {
  ...OLDER_COMMON,
  negative_prompt: TEXT,
  mode: { type: 'string', enum: ['std', 'pro', '4k'] },
  duration: { type: 'string', enum: SECONDS.map(String) },
  sound: { type: 'string', enum: ['on', 'off'] },
};
const OLDER: Readonly<Record<string, InputShape>> = {
  'images/generations': {
    ...OLDER_COMMON,
    negative_prompt: TEXT,
    image: TEXT,
    resolution: { type: 'string', enum: ['1k', '2k'] },
    n: COUNT,
    aspect_ratio: RATIOS,
  },
  'images/omni-image': {
    ...OLDER_COMMON,
    resolution: { type: 'string', enum: ['1k', '2k', '4k'] },
    n: COUNT,
    aspect_ratio: RATIOS,
  },
  'videos/text2video': { ...OLDER_FILM, aspect_ratio: FILM_RATIOS },
  'videos/image2video': { ...OLDER_FILM, image: { type: 'string', required: true }, image_tail: TEXT },
};

/** Validates an older order: flat, with the model in the body; pictures are URLs or bare base64. */
export function judgeOlderOrder(call: string, body: Input): JudgedOrder {
  const shape = OLDER[call];
  if (shape === undefined) return { status: 404, code: 1202, fault: `The requested method does not exist: ${call}` };
  const { image_list: list = [], ...flat } = body;
  if (body.image_list !== undefined && call !== 'images/omni-image') return refuse('unknown field image_list');
  const [wrong] = judgeInput(shape, flat);
  if (wrong !== undefined) return refuse(`${wrong.field}: ${wrong.message}`);
  const listed = (list as Input[]).map(({ image }) => image);
  const pictures = [flat.image, flat.image_tail, ...listed].filter((picture) => picture !== undefined);
  const bad = pictures.find((picture) => !isPicture(picture));
  if (bad !== undefined) return refuse(`image: File format is not supported: ${String(bad).slice(0, 40)}`);
  if (listed.length > 10) return refuse('image_list: at most 10');
  if (String(flat.prompt ?? '').length > 2500) return refuse('prompt: at most 2500 characters');
  const { external_task_id: externalId, image: _, image_tail: __, ...input } = flat;
  const shown = pictures.length === 0 ? {} : { pictures: pictures.map((picture) => asDataUri(picture as string)) };
  return { prompt: String(flat.prompt ?? ''), input: { ...input, ...shown }, externalId: externalId as string };
}

/** Tells whether a value is a URL, or bare base64 of a PNG or JPEG of at most 10 MB. */
function isPicture(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  return (
    /^https?:\/\/\S+$/.test(value) ||
    (/^(iVBORw0KGgo|\/9j\/)[A-Za-z0-9+/]*=*$/.test(value) && value.length < 13_400_000)
  );
}

function asDataUri(picture: string): string {
  return picture.startsWith('http') ? picture : `data:image/png;base64,${picture}`;
}
