import type { GuidePage } from '@darkroom-service/darkroom/kernel-http';
import { EXAMPLE_URL, PUBLIC_URL_MARK, readPage } from '../src/guide-texts.ts';

/** Returns the list of pages in the form of `llms.txt`: a link to each, with its first sentence. */
export async function listOfPages(pages: readonly GuidePage[]): Promise<string> {
  const lines = await Promise.all(
    pages.map(async ({ name, title }) => {
      const summary = firstSentence((await readPage(name)).replaceAll(EXAMPLE_URL, PUBLIC_URL_MARK));
      return `- [${title}](${PUBLIC_URL_MARK}/docs/${name}.md): ${summary}`;
    }),
  );
  return `# Darkroom

> Orders images and videos from many models through one HTTP/JSON interface at ${PUBLIC_URL_MARK}/v1. Each order has a price before it is placed, and is paid once.

## Pages

${lines.join('\n')}

## Interface

- [openapi.json](${PUBLIC_URL_MARK}/openapi.json): every operation and its schemas
- [Catalog](${PUBLIC_URL_MARK}/v1/catalog): the models with their fields and prices, without a key
`;
}

/** Returns the first sentence of the first paragraph, without its links and marks. */
function firstSentence(markdown: string): string {
  const paragraphs = markdown.replace(/^---\n.*?\n---\n/s, '').split(/\n{2,}/);
  const first = paragraphs.find((part) => /^[A-Z`*[]/.test(part)) ?? '';
  const plain = first
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]/g, '')
    .replaceAll('\n', ' ');
  return /^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain;
}
