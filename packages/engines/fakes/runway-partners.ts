import type { ImageToVideoCreateParams } from '@runwayml/sdk/resources/image-to-video';
import type { TextToVideoCreateParams } from '@runwayml/sdk/resources/text-to-video';
import type { InputShape } from './fake-upstream.ts';
import { flag, from, needed, oneOf, type ShapeOf } from './input-fields.ts';

type FromText = Omit<TextToVideoCreateParams.Seedance2, 'model'>;
type FromPicture = Omit<ImageToVideoCreateParams.Seedance2, 'model'>;

const SEED = from(0, 4_294_967_295);
const uri = { type: 'url', required: true } as const;
const sounds = { type: 'objects', fields: { type: { ...oneOf('audio'), required: true }, uri } } as const;
const films = (most: number) =>
  ({ type: 'objects', max_items: most, fields: { type: { ...oneOf('video'), required: true }, uri } }) as const;
const pictures = (most: number) => ({ type: 'objects', max_items: most, fields: { uri } }) as const;
const frames = {
  type: 'objects',
  required: true,
  max_items: 2,
  fields: { uri, position: oneOf('first', 'last') },
} as const;

const SMALL = ['992:432', '864:496', '752:560', '640:640', '560:752', '496:864'] as const;
const SMALL_2_5 = ['992:432', '854:480', '752:560', '640:640', '560:752', '480:854'] as const;
const MIDDLE = ['1470:630', '1280:720', '1112:834', '960:960', '834:1112', '720:1280'] as const;
const LARGE = ['2206:946', '1920:1080', '1664:1248', '1440:1440', '1248:1664', '1080:1920'] as const;
const HUGE = ['3840:1646', '3840:2160', '3840:2880', '3840:3840', '2880:3840', '2160:3840'] as const;
const SECONDS: readonly (number | 'auto')[] = ['auto', ...Array.from({ length: 12 }, (_, at) => at + 4)];
const SECONDS_2_5: readonly (number | 'auto')[] = ['auto', ...Array.from({ length: 27 }, (_, at) => at + 4)];
const words = (most: number) => ({ type: 'string', max_length: most }) as const;

const seedance = {
  promptText: { ...words(3500), required: true },
  audio: flag,
  duration: oneOf<number | 'auto'>(...SECONDS),
  ratio: oneOf(...SMALL, ...MIDDLE, ...LARGE, ...HUGE),
  referenceAudio: sounds,
  references: pictures(9),
  referenceVideos: films(3),
  seed: SEED,
} satisfies ShapeOf<FromText>;
const seedanceFrames = {
  promptImage: frames,
  promptText: words(3500),
  audio: flag,
  duration: oneOf<number | 'auto'>(...SECONDS),
  ratio: oneOf(...SMALL, ...MIDDLE, ...LARGE, ...HUGE),
  referenceAudio: sounds,
  seed: SEED,
} satisfies ShapeOf<FromPicture>;
const quick = { ratio: oneOf(...SMALL, ...MIDDLE) } as const;
const seedance25 = {
  ...seedance,
  promptText: words(15_000),
  duration: oneOf<number | 'auto'>(...SECONDS_2_5),
  ratio: oneOf(...SMALL_2_5, ...MIDDLE, ...LARGE),
  references: pictures(30),
} satisfies ShapeOf<Omit<TextToVideoCreateParams.Seedance2_5, 'model'>>;
const seedance25Frames = {
  ...seedanceFrames,
  promptText: words(15_000),
  duration: oneOf<number | 'auto'>(...SECONDS_2_5),
  ratio: oneOf(...SMALL_2_5, ...MIDDLE, ...LARGE),
} satisfies ShapeOf<Omit<ImageToVideoCreateParams.Seedance2_5, 'model'>>;

const wan = {
  promptText: needed,
  audio: flag,
  duration: from(2, 30),
  ratio: oneOf(
    ...(['832:480', '720:544', '624:624', '544:720', '480:832', '1280:720', '1104:832', '960:960'] as const),
    ...(['832:1104', '720:1280', '1920:1080', '1648:1248', '1440:1440', '1248:1648', '1080:1920'] as const),
    ...(['auto_480p', 'auto_720p', 'auto_1080p'] as const),
  ),
  referenceAudio: sounds,
  references: pictures(10),
  referenceVideos: films(5),
} satisfies ShapeOf<Omit<TextToVideoCreateParams.Wan3, 'model'>>;
const { references: _, ...wanBase } = wan;
const wanFrames = {
  ...wanBase,
  promptImage: frames,
  ratio: oneOf('auto_480p', 'auto_720p', 'auto_1080p'),
} satisfies ShapeOf<Omit<ImageToVideoCreateParams.Wan3, 'model'>>;

const hailuo = {
  promptText: needed,
  duration: from(4, 15),
  ratio: oneOf('adaptive', '21:9', '16:9', '4:3', '1:1', '3:4', '9:16'),
  referenceAudio: sounds,
  references: pictures(9),
  referenceVideos: films(3),
  resolution: oneOf('768P', '2K'),
} satisfies ShapeOf<Omit<TextToVideoCreateParams.Hailuo3, 'model'>>;
const { references: __, referenceVideos: ___, ...hailuoBase } = hailuo;
const hailuoFrames = { ...hailuoBase, promptImage: frames } satisfies ShapeOf<
  Omit<ImageToVideoCreateParams.Hailuo3, 'model'>
>;
const h3Max = {
  promptText: needed,
  duration: from(5, 15),
  promptExpansionMode: oneOf('disabled', 'balanced', 'quality'),
  resolution: oneOf('480p', '768p'),
  seed: SEED,
} satisfies ShapeOf<Omit<TextToVideoCreateParams.H3Max, 'model'>>;
const h3MaxFrames = { ...h3Max, promptImage: frames } satisfies ShapeOf<Omit<ImageToVideoCreateParams.H3Max, 'model'>>;

const grok = {
  promptText: needed,
  duration: from(1, 15),
  ratio: oneOf('1:1', '16:9', '9:16', '4:3', '3:4', '3:2', '2:3'),
  referenceAudio: sounds,
  references: pictures(7),
  resolution: oneOf('480p', '720p', '1080p'),
} satisfies ShapeOf<Omit<TextToVideoCreateParams.GrokImagine1_5, 'model'>>;
const grokFrame = {
  promptImage: { ...frames, max_items: 1 },
  promptText: { type: 'string' },
  duration: from(1, 15),
  resolution: oneOf('480p', '720p', '1080p'),
} satisfies ShapeOf<Omit<ImageToVideoCreateParams.GrokImagine1_5, 'model'>>;

const veo = {
  promptText: { ...words(1000), required: true },
  ratio: { ...oneOf('1280:720', '720:1280', '1080:1920', '1920:1080'), required: true },
  audio: flag,
  duration: oneOf(4, 6, 8),
  negativePrompt: { type: 'string' },
  seed: SEED,
} satisfies ShapeOf<Omit<TextToVideoCreateParams.Veo3_1, 'model'>>;
const veoFrames = {
  ...veo,
  promptText: words(1000),
  promptImage: frames,
} satisfies ShapeOf<Omit<ImageToVideoCreateParams.Veo3_1, 'model'>>;

/** Videos of other vendors that Runway sells. Each shape is bound to the type of its client (@runwayml/sdk 4.20.1). */
export const PARTNERS: Readonly<Record<string, InputShape>> = {
  'text_to_video/seedance2': seedance,
  'image_to_video/seedance2': seedanceFrames,
  'text_to_video/seedance2_fast': { ...seedance, ...quick },
  'image_to_video/seedance2_fast': { ...seedanceFrames, ...quick },
  'text_to_video/seedance2_mini': { ...seedance, ...quick },
  'image_to_video/seedance2_mini': { ...seedanceFrames, ...quick },
  'text_to_video/seedance2_5': seedance25,
  'image_to_video/seedance2_5': seedance25Frames,
  'text_to_video/wan3': wan,
  'image_to_video/wan3': wanFrames,
  'text_to_video/wan3_prime': wan,
  'image_to_video/wan3_prime': wanFrames,
  'text_to_video/hailuo3': hailuo,
  'image_to_video/hailuo3': hailuoFrames,
  'text_to_video/h3_max': h3Max,
  'image_to_video/h3_max': h3MaxFrames,
  'text_to_video/grok_imagine_1_5': grok,
  'image_to_video/grok_imagine_1_5': grokFrame,
  'text_to_video/veo3.1': veo,
  'image_to_video/veo3.1': veoFrames,
  'text_to_video/veo3.1_fast': veo,
  'image_to_video/veo3.1_fast': veoFrames,
};
