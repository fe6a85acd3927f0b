import { PICTURES_OF_PARTS } from '@darkroom-service/testing/samples';

/** An answer to an order of a picture that is nothing but parts. */
export interface HostileAnswer {
  readonly name: string;
  readonly isPicture: boolean;
  make(): Promise<string>;
}

export const MEGABYTES_OF_ANSWER = 12;
const BYTES = MEGABYTES_OF_ANSWER * 1_000_000;
const MARK = 'nothing but ';

/** The prompt's word for an ordinary picture, sent in pieces of one byte. */
export const IN_PIECES = 'pieces of one byte';

export const HOSTILE_ANSWERS: readonly HostileAnswer[] = [
  ...[
    ['quotes', '"'],
    ['empty texts', '"",'],
    ['brackets', '['],
    ['empty lists', '[],'],
    ['addresses', '"https://127.0.0.1:9/a.png",'],
    ['backslashes', '\\'],
  ].map(([name = '', part = '']) => ({
    name,
    isPicture: false,
    make: async () => `{"data":[${part.repeat(BYTES / part.length)}`,
  })),
  ...PICTURES_OF_PARTS.map(({ name, make }) => ({
    name,
    isPicture: true,
    make: async () =>
      JSON.stringify({ created: 0, data: [{ b64_json: (await make(BYTES * 0.75)).toString('base64') }] }),
  })),
];

/** The prompt of an order that the upstream answers so. */
export function hostilePrompt(name: string): string {
  return MARK + name;
}

/** The answer that a prompt asks for; null if it is an ordinary one. */
export function hostileAnswerTo(prompt: string): HostileAnswer | null {
  return HOSTILE_ANSWERS.find(({ name }) => prompt === hostilePrompt(name)) ?? null;
}
