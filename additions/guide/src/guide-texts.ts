import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GuidePage } from '@darkroom-service/darkroom/kernel-http';
import { EXAMPLE_URL } from './render-markdown.ts';

const MARKDOWN_DIRECTORY = join(import.meta.dirname, '..', '..', '..', 'docs');

/** Reads a page as it is stored. */
export async function readPage(name: string): Promise<string> {
  return await readFile(join(MARKDOWN_DIRECTORY, `${name}.md`), 'utf8');
}

/** Reads a program that a page links to. */
export async function readProgram(path: string): Promise<Buffer> {
  return await readFile(join(MARKDOWN_DIRECTORY, path));
}

/** Reads a page as Markdown, with the address of this service in its examples. */
export async function markdownOf(name: string, publicUrl: string): Promise<string> {
  return (await readPage(name)).replaceAll(EXAMPLE_URL, publicUrl);
}

/** Returns the list of pages in the form of `llms.txt`: a link to each, with its first sentence. */
export async function listOfPages(pages: readonly GuidePage[], publicUrl: string): Promise<string> {
  const lines = await Promise.all(
    pages.map(async ({ name, title }) => {
      const summary = firstSentence(await markdownOf(name, publicUrl));
      return `- [${title}](${publicUrl}/docs/${name}.md): ${summary}`;
    }),
  );
  return `# Darkroom

> Orders images and videos from many models through one HTTP/JSON interface at ${publicUrl}/v1. Each order has a price before it is placed, and is paid once.

## Pages

${lines.join('\n')}

## Interface

- [openapi.json](${publicUrl}/openapi.json): every operation and its schemas
- [Catalog](${publicUrl}/v1/catalog): the models with their fields and prices, without a key
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
