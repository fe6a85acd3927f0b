import type { JsonValue } from '@darkroom-service/contract';
import type { DeliveredOutput, Delivery } from '../engine.ts';
import type { Upstream } from './upstream-call.ts';

/** Maximum outputs of a result that are read; more than any order can request. */
const MOST_OUTPUTS = 64;
const ADDRESS = /^(?:https?:\/\/|data:)/;

interface OutputFacts {
  readonly seed?: number | null;
  readonly revisedPrompt?: string | null;
  readonly tiles?: number | null;
  /** The credentials that this URL needs. Most need none, and get none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the texts inside the files must not reach customers. */
  readonly dropText?: boolean;
}

/**
 * Creates a delivery from the URLs or data URIs that the upstream returned. The engine's own origin may be reached at
 * any address; for other hosts the address rules apply, on every redirect.
 */
export function deliver(
  upstream: Pick<Upstream, 'origin'>,
  sources: readonly string[],
  facts: OutputFacts = {},
): Delivery {
  return { outputs: sources.slice(0, MOST_OUTPUTS).map((source) => outputOf(upstream, source, facts)) };
}

/** Creates a delivery from files inside a response. */
export function deliverBytes(files: readonly Uint8Array[], facts: OutputFacts = {}): Delivery {
  return { outputs: files.map((data) => ({ source: { data }, ...known(facts) })) };
}

function outputOf({ origin }: Pick<Upstream, 'origin'>, source: string, facts: OutputFacts): DeliveredOutput {
  const inside = /^data:[^,]*;base64,(.*)$/s.exec(source);
  if (inside !== null) return { source: { data: Buffer.from(inside[1] ?? '', 'base64') }, ...known(facts) };
  const { headers } = facts;
  return {
    source: { url: source, allowOrigins: [origin], ...(headers === undefined ? {} : { headers }) },
    ...known(facts),
  };
}

function known({ seed, revisedPrompt, tiles, dropText }: OutputFacts): Omit<DeliveredOutput, 'source'> {
  const facts = { seed: seed ?? null, revisedPrompt: revisedPrompt ?? null, tiles: tiles ?? null };
  return dropText === true ? { ...facts, dropText } : facts;
}

/** Returns the URLs and data URIs in a response whose shape depends on the model, in order. */
export function addressesIn(value: JsonValue | undefined): string[] {
  return addressesWithin(value).take(MOST_OUTPUTS).toArray();
}

/** Yields the addresses in a value. Recursion is safe: parsed answers have few levels. */
function* addressesWithin(value: JsonValue | undefined): Generator<string, undefined> {
  if (typeof value === 'string' && ADDRESS.test(value)) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const inner of Object.values(value)) yield* addressesWithin(inner as JsonValue);
}

/** Returns the value if it is an integer, as a seed is; else null. */
export function seedIn(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}
