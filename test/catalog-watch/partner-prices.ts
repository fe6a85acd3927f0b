import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasVersion } from './model-lists.ts';
import type { ForeignPrice, Offer } from './offer.ts';
import type { Package } from './packages.ts';

/** Comfy's page of Router prices: a dollar is 211 credits. */
const CREDITS = 211;
/** Of newer models the page has the vendor's price with this factor. */
const MARKUPS = [1, 1.43];
/** The page rounds credits to two decimals. */
const ROUNDING = 0.005 / CREDITS;
const READ_AT = 'docs.comfy.org/tutorials/partner-nodes/pricing';
const PAGE = join('tutorials', 'partner-nodes', 'pricing.mdx');

/** Columns that say what a price is of; in other columns a value is a condition that an order here cannot have. */
const NAMES = ['model', 'node'];
const TIERS = ['resolution', 'max_resolution', 'quality'];
const SOUND = 'generate_audio';
const TASK = 'task';
const CREATES = ['generation', 'generate', '—', ''];
const NO_CONDITION = ['—', 'no', 'off', 'active', ''];
/** `42.24`, `42.24 / sec output (+3.02 input image)`, `7.39 / image (× n)`. */
const AMOUNT = /^(\d+(?:\.\d+)?)(?: \/ (sec|run|image)(?: output)?)?(?: \((?:\+|×)[^)]*\))?$/;

interface Row {
  /** By the header in lower case, without marks. */
  readonly cells: Readonly<Record<string, string>>;
  readonly headings: readonly string[];
}

/**
 * Reads the prices of ComfyUI's partner nodes, in credits (Comfy-Org/docs).
 * @throws Error if the page has no table with prices
 */
export async function readPartnerPrices({ name, folder }: Package): Promise<readonly Offer[]> {
  const text = await readFile(join(folder, PAGE), 'utf8');
  const priced = rowsOf(text).flatMap((row) => namesIn(row).flatMap((model) => pricesIn(row, model)));
  if (priced.length === 0) throw new Error('expected tables with credits, found none');
  return [...Map.groupBy(priced, ({ model }) => model)].map(([model, same]) => ({
    source: name,
    key: model,
    name: model,
    engine: null,
    resells: false,
    markups: MARKUPS,
    prices: same.map(({ price }) => price),
    endsOn: null,
    readAt: READ_AT,
  }));
}

function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  const headings: string[] = [];
  let header: readonly string[] | null = null;
  let before = '';
  for (const line of text.split('\n')) {
    const [, marks, title = ''] = /^(#{2,4}) (.*)$/.exec(line) ?? [];
    if (marks !== undefined) headings.splice(marks.length - 2, Infinity, title.replace(/ \{.*\}$/, ''));
    if (!line.startsWith('|')) {
      header = null;
      continue;
    }
    const cells = line.split('|').slice(1, -1).map(plain);
    if (header === null) {
      header = cells.map((cell) => cell.toLowerCase());
      before = '';
    } else if (!/^[|: -]+$/.test(line)) {
      // A table leaves out the name that the row before has.
      before = cells[0] === '' ? before : (cells[0] ?? '');
      const named = [before, ...cells.slice(1)];
      rows.push({
        cells: Object.fromEntries(header.map((name, at) => [name, named[at] ?? ''])),
        headings: [...headings],
      });
    }
  }
  return rows;
}

/** Returns the vendor's names of models in a row; those of its heading if the table has none. */
function namesIn({ cells, headings }: Row): string[] {
  const column = NAMES.find((name) => name in cells);
  const text = column === undefined ? (headings.at(-1) ?? '') : (cells[column] ?? '');
  const [, code] = /\(([a-z\d.-]+-\d[\w.-]*)\)/.exec(text) ?? [];
  const names = code === undefined ? text.split(',') : [code];
  return names.map((name) => name.replaceAll(/[()[\]]/g, '').trim()).filter(hasVersion);
}

function pricesIn({ cells, headings }: Row, model: string): { readonly model: string; readonly price: ForeignPrice }[] {
  const isFilm = headings.some((heading) => /^Video/.test(heading));
  const others = Object.entries(cells).filter(([name]) => ![...NAMES, ...TIERS, SOUND, TASK].includes(name));
  const conditions = others.filter(([name]) => !name.includes('credits'));
  if (!conditions.every(([, value]) => NO_CONDITION.includes(value.toLowerCase()))) return [];
  if (!CREATES.includes(cells[TASK] ?? '')) return [];
  const tiers = listIn(TIERS.map((name) => cells[name]).find((value) => value !== undefined));
  const sounds = listIn(cells[SOUND]);
  return others.flatMap(([column, value]) => {
    const [, amount, unit = /\/ (sec|run|image)$/.exec(column)?.[1]] = AMOUNT.exec(value) ?? [];
    if (!/^(?:output )?credits/.test(column) || amount === undefined || unit === undefined) return [];
    // A run of a film has a length that the table does not say.
    if (unit !== 'sec' && isFilm) return [];
    return tiers.flatMap((tier) =>
      sounds.map((sound) => ({
        model,
        price: {
          key: [model, tier, sound === null ? null : `sound ${sound}`].filter((word) => word !== null).join('.'),
          per: unit === 'sec' ? ('second' as const) : ('image' as const),
          amount: Number((Number(amount) / CREDITS).toPrecision(6)),
          rounding: ROUNDING,
          tier,
          size: null,
          quality: null,
          sound: sound === null ? null : sound === 'true',
        },
      })),
    );
  });
}

function listIn(cell: string | undefined): (string | null)[] {
  return cell === undefined || cell === '—' || cell === '' ? [null] : cell.split(',').map((word) => word.trim());
}

function plain(cell: string): string {
  return cell.replaceAll(/[`*\\]/g, '').trim();
}
