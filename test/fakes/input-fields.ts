/** Fields of inputs, for the tables of what upstreams accept. */
export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
export const needed = { type: 'string', required: true } as const;
export const oneOf = (...options: unknown[]) => ({ type: 'any', enum: options }) as const;
export const from = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum }) as const;
export const SEED_31 = from(0, 2_147_483_647);
