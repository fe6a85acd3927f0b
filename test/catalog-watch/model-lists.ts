import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namedOffer, type Offer } from './offer.ts';
import type { Package } from './packages.ts';

type Reader = (found: Package) => Promise<readonly Offer[]>;

const MAKES_MEDIA = /image|banana|omni|veo|imagen|video/;

/** Reads the AI SDK's gateway: the types that list models of images and videos, and others with such a name. */
export const readGatewayTypes: Reader = async ({ name, folder }) => {
  const text = await readFile(join(folder, 'package', 'dist', 'index.d.ts'), 'utf8');
  const media = ['GatewayImageModelId', 'GatewayVideoModelId'].flatMap((type) => literalsOf(text, type));
  const others = literalsOf(text, 'GatewayModelId').filter((id) => MAKES_MEDIA.test(id));
  return named(name, [...media, ...others]);
};

/** Reads OpenAI's client: the types that list models of images and videos. */
export const readOpenaiTypes: Reader = async ({ name, folder }) => {
  const resources = join(folder, 'package', 'resources');
  const images = await readFile(join(resources, 'images.d.ts'), 'utf8');
  const videos = await readFile(join(resources, 'videos.d.ts'), 'utf8');
  return named(name, [...literalsOf(images, 'ImageModel'), ...literalsOf(videos, 'VideoModel')]);
};

/** Reads Google's client: each name of a model of images or videos in its types. */
export const readGoogleTypes: Reader = async ({ name, folder }) => {
  const text = await readFile(join(folder, 'package', 'dist', 'genai.d.ts'), 'utf8');
  const found = text.match(/\b(?:gemini-[\w.-]*(?:image|omni|banana)[\w.-]*|veo-\d[\w.-]*|imagen-\d[\w.-]*)\b/g);
  return named(name, found ?? []);
};

/** Reads Runway's client: the models of its calls for images and videos. */
export const readRunwayTypes: Reader = async ({ name, folder }) => {
  const calls = '*{to-image,to-video,image-upscale,video-upscale,character-performance}.d.ts';
  const files = globSync(join(folder, 'package', 'resources', calls));
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return named(
    name,
    texts.flatMap((text) => [...text.matchAll(/\bmodel: '([^']+)'/g)].map(([, id = '']) => id)),
  );
};

/** Reads xAI's client for Python: the types that list models of images and videos. */
export const readXaiTypes: Reader = async ({ name, folder }) => {
  const text = await readFile(join(folder, 'xai_sdk', 'types', 'model.py'), 'utf8');
  const types = ['ImageGenerationModel', 'VideoGenerationModel'];
  return named(
    name,
    types.flatMap((type) => pythonLiteralsOf(text, type)),
  );
};

/** Reads Luma's client for Python: the type that lists its models. */
export const readLumaTypes: Reader = async ({ name, folder }) => {
  const text = await readFile(join(folder, 'luma_agents', 'types', 'model.py'), 'utf8');
  return named(name, pythonLiteralsOf(text, 'Model'));
};

/** Reads ComfyUI's templates: the models of those that use a service. */
export const readComfyTemplates: Reader = async ({ name, folder }) => {
  const [index] = globSync(join(folder, '**', 'templates', 'index.json'));
  if (index === undefined) throw new Error('expected templates/index.json, found none');
  const categories = JSON.parse(await readFile(index, 'utf8')) as readonly {
    readonly type: string;
    readonly templates: readonly { readonly name: string; readonly models?: readonly string[] }[];
  }[];
  const ofMedia = categories
    .filter(({ type }) => ['image', 'video'].includes(type))
    .flatMap(({ templates }) => templates);
  const ofServices = ofMedia.filter((template) => template.name.startsWith('api_'));
  return named(
    name,
    ofServices.flatMap(({ models = [] }) => models.filter(hasVersion)),
  );
};

/** Tells whether a name is that of a model: one without a number is that of a family or of a vendor. */
export function hasVersion(model: string): boolean {
  return /\d/.test(model);
}

/** Returns the texts of a type such as `type Name = 'a' | 'b' | (string & {});`. */
function literalsOf(text: string, type: string): string[] {
  const [, union = ''] = new RegExp(`\\btype ${type} =([^;]*)`).exec(text) ?? [];
  const found = [...union.matchAll(/['"]([^'"]+)['"]/g)].map(([, literal = '']) => literal);
  if (found.length === 0) throw new Error(`expected a type ${type} with texts, found none`);
  return found;
}

/** Returns the texts of a type such as `Name: TypeAlias = Literal["a", "b"]`. */
function pythonLiteralsOf(text: string, type: string): string[] {
  const [, union = ''] = new RegExp(`^${type}: TypeAlias = Literal\\[([^\\]]*)\\]`, 'm').exec(text) ?? [];
  const found = [...union.matchAll(/"([^"]+)"/g)].map(([, literal = '']) => literal);
  if (found.length === 0) throw new Error(`expected a type ${type} with texts, found none`);
  return found;
}

function named(source: string, names: readonly string[]): readonly Offer[] {
  return atLeastOne([...new Set(names)].map((name) => namedOffer(source, name)));
}

function atLeastOne(offers: readonly Offer[]): readonly Offer[] {
  if (offers.length === 0) throw new Error('expected names of models, found none');
  return offers;
}
