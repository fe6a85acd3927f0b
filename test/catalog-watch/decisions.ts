import { readFile } from 'node:fs/promises';
import type { JsonObject } from '@darkroom-service/contract';
import { patternOf } from '../../src/catalog/decided-models.ts';
import { plainName } from './names.ts';
import type { Offer } from './offer.ts';

/** A price, the date of an end, or a word for what is not there. */
export type Value = number | string | null;

/** `catalog/watch-decisions.json`. */
export interface WatchDecisions {
  /** Our model by a name of others, as `plainName` writes it, where no rule finds it. */
  readonly names: Readonly<Record<string, string>>;
  /** What a price of a source is for beside its own fields, by the source's name of the model. */
  readonly orders: Readonly<Record<string, JsonObject>>;
  readonly decisions: readonly Decision[];
}

/** Differences that were looked at and accepted, for one reason. */
interface Decision {
  readonly reason: string;
  /** `2026-11-25`. */
  readonly date: string;
  /** By `<package>:<key>`: the source's value and all of ours that differ. With other values it is open again. */
  readonly values?: Readonly<Record<string, readonly Value[]>>;
  /**
   * Models that the catalog lacks, by their plain name or by `<package>:<key>` of all who name them; `*` stands for any
   * text.
   */
  readonly models?: readonly string[];
}

/**
 * Reads the file of decisions.
 * @throws Error if it has another shape.
 */
export async function readDecisions(file: string): Promise<WatchDecisions> {
  const content = JSON.parse(await readFile(file, 'utf8')) as WatchDecisions;
  for (const [at, { reason, date, values, models }] of content.decisions.entries()) {
    const isComplete = reason?.length > 0 && /^\d{4}-\d\d-\d\d$/.test(date) && (values ?? models) !== undefined;
    if (!isComplete) throw new Error(`${file}, decision ${at + 1}: expected reason, date and values or models`);
  }
  return content;
}

/** Tells which differences are decided, and which decisions no difference needs any more. */
export class DecisionBook {
  readonly #values: ReadonlyMap<string, readonly Value[]>;
  readonly #patterns: readonly { readonly text: string; readonly pattern: RegExp }[];
  readonly #used = new Set<string>();

  constructor({ decisions }: WatchDecisions) {
    this.#values = new Map(decisions.flatMap(({ values = {} }) => Object.entries(values)));
    this.#patterns = decisions.flatMap(({ models = [] }) => models.map((text) => ({ text, pattern: patternOf(text) })));
  }

  acceptsValues(key: string, values: readonly Value[]): boolean {
    const isAccepted = JSON.stringify(this.#values.get(key)) === JSON.stringify(values);
    if (isAccepted) this.#used.add(key);
    return isAccepted;
  }

  /** Tells whether a model that the catalog lacks is decided: by its name, or by the keys of all who offer it. */
  acceptsOffers(offers: readonly Offer[]): boolean {
    const [first] = offers;
    if (first === undefined) return true;
    return this.#matches(plainName(first)) || offers.every(({ source, key }) => this.#matches(`${source}:${key}`));
  }

  #matches(name: string): boolean {
    const found = this.#patterns.filter(({ pattern }) => pattern.test(name));
    for (const { text } of found) this.#used.add(text);
    return found.length > 0;
  }

  /**
   * Returns what was decided and did not differ when it was asked.
   * @param unread packages that were not read: nothing is known of their values, nor of names without a package
   * @param unasked sources that were left out: nothing is known of their own values and names
   */
  stale(unread: readonly string[], unasked: readonly string[] = []): readonly string[] {
    const isKnown = (key: string) => ![...unread, ...unasked].some((name) => key.startsWith(`${name}:`));
    const patterns = unread.length > 0 ? [] : this.#patterns.map(({ text }) => text);
    return [...this.#values.keys(), ...patterns].filter((name) => isKnown(name) && !this.#used.has(name));
  }
}
