import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { EXAMPLE_URL, PUBLIC_URL_MARK } from '../src/guide-texts.ts';
import { curlExample } from './curl-example.ts';
import { fetchExample } from './fetch-example.ts';
import { readRequest } from './read-request.ts';

/** A fenced block of a page. */
export interface CodeBlock {
  /** What follows the fence, such as `ts` or `http 201 as=image`. */
  readonly info: string;
  readonly code: string;
}

interface Example {
  /** The language's name, as readers choose it. */
  readonly name: string;
  /** The language's class. */
  readonly language: string;
  readonly code: string;
}

/** The languages of programs: neighbouring blocks in several of them stand for the same thing. */
const PROGRAMS: Readonly<Record<string, string>> = { js: 'JavaScript', python: 'Python', ts: 'TypeScript' };

/** Tells whether a block is a program that its neighbours may show in other languages. */
export function isProgramBlock({ info }: CodeBlock): boolean {
  return Object.hasOwn(PROGRAMS, info);
}

/** Renders a block. A request becomes examples in several languages. */
export function renderBlock({ info, code }: CodeBlock): string {
  if (!info.startsWith('http ')) return codeElement(languageOf(info), withMark(code));
  const request = readRequest(code, info);
  return renderExamples([
    { name: 'curl', language: 'sh', code: curlExample(request, PUBLIC_URL_MARK) },
    { name: 'JavaScript', language: 'js', code: fetchExample(request, PUBLIC_URL_MARK) },
  ]);
}

/** Renders neighbouring programs in several languages, of which readers choose one. */
export function renderPrograms(blocks: readonly CodeBlock[]): string {
  return renderExamples(
    blocks.map(({ info, code }) => ({ name: PROGRAMS[info] ?? info, language: info, code: withMark(code) })),
  );
}

/** Each example stands under its name; the script of the pages makes tabs of them. */
function renderExamples(examples: readonly Example[]): string {
  const shown = examples.map(
    ({ name, language, code }) =>
      `<div data-language="${name}"><p class="language">${name}</p>\n${codeElement(language, code)}</div>\n`,
  );
  return `<div class="tabs">\n${shown.join('')}</div>\n`;
}

function codeElement(language: string, code: string): string {
  return `<pre tabindex="0"><code class="language-${language}">${escapeHtml(code)}\n</code></pre>\n`;
}

function languageOf(info: string): string {
  return info.split(' ')[0] || 'text';
}

function withMark(code: string): string {
  return code.replaceAll(EXAMPLE_URL, PUBLIC_URL_MARK);
}
