import {
  defaultTier,
  type Model,
  readRatio,
  readSize,
  type Schema,
  tierArea,
} from '@darkroom-service/contract/catalog';

/** Returns the faults of an entry's sizes: unknown tiers, incomplete tables, odd sides of videos. */
export function checkSizing(model: Model): string[] {
  const { times } = model.sizing ?? {};
  if (times !== undefined) return typeof times === 'number' ? [] : checkTimes(model, times);
  const faults: string[] = [];
  const tiers = enumOf(model, 'resolution').filter((name) => name !== 'auto');
  const tables = model.sizing?.table ?? {};
  for (const tier of tiers.length > 0 ? tiers : [defaultTier(model)]) {
    if (tierArea(model, tier) === null && tables[tier] === undefined) {
      faults.push(`the resolution ${tier} has no size: add it to sizing.tiers or sizing.table`);
    }
  }
  if (model.type === 'image' && model.parameters.aspect_ratio === undefined)
    faults.push('an image model takes aspect_ratio');
  for (const [tier, row] of Object.entries(tables)) checkRow(model, tiers, tier, row, faults);
  return faults;
}

function checkTimes(model: Model, name: string): string[] {
  const { enum: factors = [], default: standard } = (model.parameters[name] ?? {}) as Schema;
  const isListed = factors.length > 0 && factors.every((factor) => typeof factor === 'number' && factor > 0);
  return isListed && factors.includes(standard ?? null)
    ? []
    : [`sizing.times: ${name} must list numbers above 0, one of them its default`];
}

function checkRow(
  model: Model,
  tiers: readonly string[],
  tier: string,
  row: Readonly<Record<string, string>>,
  faults: string[],
): void {
  const expected = tiers.length > 0 ? tiers : [defaultTier(model)];
  const sizes = enumOf(model, 'size');
  if (!expected.includes(tier) && !sizes.includes(tier))
    faults.push(`sizing.table.${tier} is no resolution of the model (${expected.join(', ')})`);
  const ratios = enumOf(model, 'aspect_ratio').filter((ratio) => readRatio(ratio) !== null);
  for (const ratio of ratios) if (row[ratio] === undefined) faults.push(`sizing.table.${tier} has no size at ${ratio}`);
  for (const [ratio, text] of Object.entries(row)) {
    if (ratios.length > 0 && !ratios.includes(ratio))
      faults.push(`sizing.table.${tier} has ${ratio}, which aspect_ratio does not offer`);
    const size = readSize(text);
    if (size === null) faults.push(`sizing.table.${tier}.${ratio} must be "WIDTHxHEIGHT"; found "${text}"`);
    else if (model.type === 'video' && (size.width % 2 === 1 || size.height % 2 === 1))
      faults.push(`sizing.table.${tier}.${ratio}: a video needs an even width and height; found ${text}`);
  }
}

function enumOf(model: Model, name: string): string[] {
  const schema = model.parameters[name] as Schema | undefined;
  const values = [...(schema?.enum ?? []), ...(schema?.anyOf ?? []).flatMap((option) => option.enum ?? [])];
  return values.filter((value) => typeof value === 'string');
}
