import type { SharedV4ProviderOptions, SharedV4Warning } from '@ai-sdk/provider';
import type { ModelFacts } from './model-facts.ts';

export const PROVIDER_NAME = 'darkroom';

/** Collects the fields of an order, and a warning for each option that the model does not have. */
export interface OrderBuilder {
  readonly fields: Record<string, unknown>;
  readonly warnings: SharedV4Warning[];
  /** Whether the model has a field, and this value of it. */
  accepts(field: string, value?: unknown): boolean;
  /** Sets the first of these fields that the model has; otherwise warns that the option is not supported. */
  set(option: string, value: unknown, ...fields: string[]): void;
  unsupported(feature: string, details: string): void;
  adapted(feature: string, details: string): void;
}

export function createOrderBuilder(modelId: string, { fields: known }: ModelFacts): OrderBuilder {
  const fields: Record<string, unknown> = {};
  const warnings: SharedV4Warning[] = [];
  const accepts = (field: string, value?: unknown) => {
    const values = known.get(field);
    return values !== undefined && (value === undefined || values.length === 0 || values.includes(value));
  };
  const unsupported = (feature: string, details: string) =>
    void warnings.push({ type: 'unsupported', feature, details });
  return {
    fields,
    warnings,
    accepts,
    unsupported,
    adapted: (feature, details) => void warnings.push({ type: 'compatibility', feature, details }),
    set(option, value, ...candidates) {
      if (value === undefined) return;
      const field = candidates.find((one) => known.has(one));
      if (field === undefined) unsupported(option, `${modelId} has no ${candidates.join(' or ')}.`);
      // A value that the model does not have is refused by the service, which lists the ones that it has.
      else fields[field] = value;
    },
  };
}

/** `providerOptions.darkroom`: fields of the order, and the key of the call. */
export function readProviderOptions(options: SharedV4ProviderOptions): {
  readonly idempotencyKey: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
} {
  const { idempotencyKey, ...fields } = options[PROVIDER_NAME] ?? {};
  return { idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined, fields };
}

/** Returns the ratio of a size such as `1280x720` in its smallest whole numbers: `16:9`. */
export function ratioOf(size: string): string {
  const [width = 1, height = 1] = size.split('x').map(Number);
  const divisor = commonDivisor(width, height);
  return `${width / divisor}:${height / divisor}`;
}

function commonDivisor(a: number, b: number): number {
  return b === 0 ? a : commonDivisor(b, a % b);
}
