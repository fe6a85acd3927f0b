import {
  type ImageModelV4,
  NoSuchModelError,
  type ProviderV4,
  type Experimental_VideoModelV4 as VideoModelV4,
} from '@ai-sdk/provider';
import { Darkroom, type DarkroomOptions } from '@darkroom/client';
import { createImageModel } from './image-model.ts';
import { createModelFacts, type ProviderContext } from './model-facts.ts';
import { createVideoModel } from './video-model.ts';

export interface DarkroomProviderSettings extends DarkroomOptions {
  /** A client that replaces one made from the other settings. */
  readonly client?: Darkroom | undefined;
}

export interface DarkroomProvider extends ProviderV4 {
  /** A model for `generateImage`, such as `image('flux-2-pro')`. */
  image(modelId: string): ImageModelV4;
  /** A model for `experimental_generateVideo`, such as `video('veo-3.1-fast')`. */
  video(modelId: string): VideoModelV4;
  videoModel(modelId: string): VideoModelV4;
}

/** Makes a provider of the AI SDK for a Darkroom service. Nothing is read or sent before the first call. */
export function createDarkroom({ client, ...options }: DarkroomProviderSettings = {}): DarkroomProvider {
  let made = client;
  const clientOf = () => {
    made ??= new Darkroom(options);
    return made;
  };
  const context: ProviderContext = {
    get client() {
      return clientOf();
    },
    facts: createModelFacts(clientOf),
  };
  const image = (modelId: string) => createImageModel(context, modelId);
  const video = (modelId: string) => createVideoModel(context, modelId);
  return {
    specificationVersion: 'v4',
    image,
    imageModel: image,
    video,
    videoModel: video,
    languageModel: (modelId) => {
      throw new NoSuchModelError({ modelId, modelType: 'languageModel' });
    },
    embeddingModel: (modelId) => {
      throw new NoSuchModelError({ modelId, modelType: 'embeddingModel' });
    },
  };
}

/** The provider of the service that DARKROOM_URL and DARKROOM_API_KEY name. */
export const darkroom: DarkroomProvider = createDarkroom();
