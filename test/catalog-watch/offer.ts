/** The unit of a source's price. Token prices count tokens of one kind; `second` and `image` are of the result. */
export type ForeignUnit = 'second' | 'image' | 'input_image' | 'output_token' | 'prompt_token' | 'input_image_token';

/** A price of a source. */
export interface ForeignPrice {
  /** Of the decision: the source's own name of the model and the field. */
  readonly key: string;
  readonly per: ForeignUnit;
  /** US dollars, as the source writes it. */
  readonly amount: number;
  /** The source's word of a resolution; null for all those that have no price of their own. */
  readonly tier: string | null;
  /** `1024x1536`; null if the price is not of a size. */
  readonly size: string | null;
  readonly quality: string | null;
  /** Whether the price is that of a film with sound; null if the source has one price. */
  readonly sound: boolean | null;
  /** Dollars by which the source may have rounded; absent = the last decimal of an amount with three or more. */
  readonly rounding?: number;
}

/** A model of a source. */
export interface Offer {
  /** The package. */
  readonly source: string;
  /** The source's own name, such as `xai/grok-imagine-image`. */
  readonly key: string;
  /** The name that is compared with names of the catalog. */
  readonly name: string;
  /** The engine of the catalog that this is a price list of; null if none. */
  readonly engine: string | null;
  /** Whether the upstream sells models of others, so that its prices are costs and not prices. */
  readonly resells: boolean;
  /** Factors of which the source has one on the vendor's prices, without saying which; absent = none. */
  readonly markups?: readonly number[];
  readonly prices: readonly ForeignPrice[];
  /** The date on which the upstream ends the model, `2026-12-03`. */
  readonly endsOn: string | null;
  /** Where the source itself read it. */
  readonly readAt: string | null;
}

/** Makes an offer of a source that only lists names. */
export function namedOffer(source: string, key: string, name: string = key): Offer {
  return { source, key, name, engine: null, resells: false, prices: [], endsOn: null, readAt: null };
}
