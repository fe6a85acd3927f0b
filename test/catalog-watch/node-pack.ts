import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { namedOffer, type Offer } from './offer.ts';
import type { Package } from './packages.ts';

const FILE = join('nodes', 'models_config.py');
const IDS = /"((?:[a-z]+-)?(?:seedream|seedance)-[\w.-]*\d{6})"/g;
const RETIRED = /((?:^#.*\n)+)RETIRED_MODELS = \{([^}]*)\}/m;
const DAY = /\d{4}-\d\d-\d\d/g;

/**
 * Reads ByteDance's own nodes for ComfyUI (byteplus-sa/ComfyUI-BytePlus-ModelArk): the models at BytePlus, and the day
 * on which it ends some, which only the comment above their list says.
 * @throws Error if the file names no models
 */
export async function readNodePack({ name, folder }: Package): Promise<readonly Offer[]> {
  const text = await readFile(join(folder, FILE), 'utf8');
  const [, comment = '', ended = ''] = RETIRED.exec(text) ?? [];
  const retired = new Set(idsIn(ended.replaceAll(/,\s*"[^"]*"\)/g, '')));
  const endsOn = comment.match(DAY)?.at(-1) ?? null;
  const ids = [...new Set(idsIn(text))];
  if (ids.length === 0) throw new Error(`expected names of models in ${FILE}, found none`);
  return ids.map((id) => ({
    ...namedOffer(name, id),
    engine: 'byteplus',
    endsOn: retired.has(id) ? endsOn : null,
  }));
}

function idsIn(text: string): string[] {
  return [...text.matchAll(IDS)].map(([, id = '']) => id);
}
