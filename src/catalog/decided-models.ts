import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The file of a catalog's directory with the models of others that were decided: `npm run catalog:watch` uses it. */
const FILE = 'watch-decisions.json';
/** The date of a model's release, which tells no models apart. */
export const RELEASE_DATE = /(?<=^|[^0-9])(?:20\d\d-\d\d-\d\d|\d{6,8})(?=[^0-9]|$)/g;

interface Decisions {
  readonly names?: Readonly<Record<string, string>>;
  readonly decisions?: readonly { readonly models?: readonly string[] }[];
}

/** Returns a model's name in lower case with hyphens and without dates of release, such as `wan-v3-0-t2v`. */
export function plainModelName(name: string): string {
  return name
    .toLowerCase()
    .replace(RELEASE_DATE, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/**
 * Reads which models of others are known: offered under another name, or decided not to be offered. Without the file
 * none is.
 */
export async function readDecidedModels(directory: string): Promise<(name: string) => boolean> {
  const text = await readFile(join(directory, FILE), 'utf8').catch(() => '{}');
  const { names = {}, decisions = [] } = JSON.parse(text) as Decisions;
  const patterns = decisions.flatMap(({ models = [] }) => models.map(patternOf));
  return (name) => {
    const plain = plainModelName(name);
    return plain in names || patterns.some((pattern) => pattern.test(plain));
  };
}

/** Returns the pattern of a decision, in which `*` stands for any text. */
export function patternOf(text: string): RegExp {
  return new RegExp(`^${text.split('*').map(RegExp.escape).join('.*')}$`);
}
