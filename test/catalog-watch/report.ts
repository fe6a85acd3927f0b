import type { JsonObject } from '@darkroom-service/contract';
import type { Differences, Judged } from './find-differences.ts';
import type { ForeignUnit } from './offer.ts';
import type { Proof } from './prove.ts';
import type { StatedPrices } from './write-sources.ts';

interface Report extends Differences {
  readonly read: readonly { readonly name: string; readonly version: string }[];
  readonly unread: readonly { readonly name: string; readonly fault: string }[];
}

const UNITS: Readonly<Record<ForeignUnit, string>> = {
  second: 'a second',
  image: 'an image',
  input_image: 'an input image',
  output_token: 'an output token',
  prompt_token: 'a prompt token',
  input_image_token: 'a token of an input image',
};

/** Prints a report: what is open, and counts of all else; with `all`, each comparison. */
export function printReport(report: Report, all: boolean): void {
  const { read, unread, agreed, differing, onlyTheirs, onlyOurs, ended, stale, prices, costs } = report;
  const versions = new Map(read.map(({ name, version }) => [name, `${name} ${version}`]));
  const today = new Date().toISOString().slice(0, 10);
  const section = <One>(title: string, differences: Judged<One>, lines: (one: One) => readonly string[]) => {
    const { open, decided } = differences;
    say(`${title}: ${open.length} undecided, ${decided.length} decided`);
    for (const line of open.flatMap(lines)) say(`  ${line}`);
    if (all) for (const line of decided.flatMap(lines)) say(`  decided: ${line}`);
  };
  say(`${today}: read ${[...versions.values()].join(', ') || 'nothing'}`);
  for (const { name, fault } of unread) say(`NOT READ: ${name}: ${fault}`);
  say(`agree: ${agreed.length}`);
  if (all) for (const { offer, price, of, order } of agreed) say(`  ${offer.source}:${price.key} = ${of}${at(order)}`);
  section('differ', differing, ({ key, values, comparisons }) => [
    `${JSON.stringify(key)}: ${JSON.stringify(values)}`,
    ...comparisons.slice(0, 1).map(({ offer, price }) => {
      return `  theirs ${price.amount} ${UNITS[price.per]} (${offer.readAt ?? 'no source named'}, ${versions.get(offer.source)})`;
    }),
    ...comparisons.map(({ ours, price, of, order, ourSource }) => {
      const unit = typeof ours === 'number' ? ` ${UNITS[price.per]}` : '';
      return `  ours   ${ours}${unit}: ${of}${at(order)} (${ourSource})`;
    }),
  ]);
  section('only theirs', onlyTheirs, ({ name, offers }) => {
    const named = Map.groupBy(offers, ({ source }) => source);
    return [`${name}: ${[...named].map(([source, of]) => `${source}:${of[0]?.key}`).join('; ')}`];
  });
  section('ended', ended, ({ key, values: [theirs, ...ours], model: { model_id, status } }) => {
    const when = String(theirs) <= today ? 'ended' : 'ends';
    const dates = ours.map((date) => date ?? 'no end').join(', ');
    return [`${key}: ${when} on ${theirs}; ours: ${model_id}, ${status}, ${dates}`];
  });
  say(`only ours: ${onlyOurs.length} models without a second source`);
  if (all) say(`  ${onlyOurs.join(', ')}`);
  for (const name of stale) say(`stale decision, no such difference: ${name}`);
  say(
    `A second source has ${prices.compared} of ${prices.all} prices of models and ${costs.compared} of ${costs.all} costs of routes.`,
  );
  say(`${report.undecided} undecided differences${unread.length > 0 ? ', INCOMPLETE: sources were not read' : ''}`);
}

/** Prints how many parts of the catalog the sources would miss; with `all`, the names of the others. */
export function printProof(proofs: readonly Proof[], all: boolean): void {
  for (const { of, all: total, unnamed } of proofs) {
    say(`Taken out one at a time, sources name ${total - unnamed.length} of ${total} ${of}.`);
    if (all && unnamed.length > 0) say(`  not named: ${unnamed.join(', ')}`);
  }
}

/** Prints how many prices of the catalog's files a source states. */
export function printSources({ all, stated }: StatedPrices): void {
  say(`Sources of ${stated} of ${all} prices were written. Run: npx biome check --write catalog`);
}

function at(order: JsonObject): string {
  const fields = Object.entries(order).filter(([name]) => name !== 'prompt');
  const words = fields.map(([name, value]) => `${name} ${Array.isArray(value) ? value.length : value}`);
  return words.length === 0 ? '' : ` at ${words.join(', ')}`;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
