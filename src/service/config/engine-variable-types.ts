import { Type } from 'typebox';
import { isWebAddress } from './url-checks.ts';

/** Returns the schema of an engine's key, which switches the engine on. */
export function engineKey(engine: string, expected: string) {
  const description = `The API key of the engine \`${engine}\`. Setting it switches the engine on.`;
  return Type.Optional(
    Type.Refine(
      Type.String({ expected, description, secret: true }),
      // The key is sent in a header.
      (value) => /^[\x21-\x7e]+$/.test(value),
      () => expected,
    ),
  );
}

/** Returns the schema of the URL of an engine's upstream. */
export function engineUrl(example: string, description: string) {
  const expected = `a URL such as ${example}`;
  return Type.Optional(Type.Refine(Type.String({ expected, description }), isWebAddress, () => expected));
}
