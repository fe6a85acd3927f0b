import { hash } from 'node:crypto';
import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { thumbnailKeyOf } from '@darkroom-service/darkroom/kernel-views';
import type { OpenedShare, SharedItem } from './open-share.ts';
import { previewTags } from './preview-tags.ts';

/** Addresses of the files of a link, each with a query. */
export interface FileAddresses {
  /** Absolute address of the page. */
  readonly page: string;
  readonly file: string;
  readonly item: (number: number) => string;
}

/** Returns the page of a link to one task. It needs no script, and loads only the shared file. */
export function sharedPage({ items: [item], expiresAt }: OpenedShare, { page, file }: FileAddresses): string {
  const { type, output, prompt } = item;
  const source = escapeHtml(file);
  const name = type === 'video' ? 'Shared video' : 'Shared image';
  const poster = thumbnailKeyOf(output) === null ? '' : ` poster="${source}&amp;variant=thumbnail"`;
  const shown =
    type === 'video'
      ? `<video src="${source}"${sizeOf(item)}${poster} controls loop playsinline aria-label="${name}"></video>`
      : `<img src="${source}"${sizeOf(item)} alt="${escapeHtml(prompt ?? name)}">`;
  return frame(
    name,
    `<h1>${name}</h1>
${shown}
${promptOf(item)}<p><a href="${source}&amp;download=1">Download</a></p>
${validity(expiresAt)}`,
    previewTags(name, item, page, file),
  );
}

/** Returns attributes that reserve the space of the picture while it loads. */
export function sizeOf({ output }: SharedItem): string {
  return output.width === null || output.height === null ? '' : ` width="${output.width}" height="${output.height}"`;
}

export function promptOf({ prompt }: SharedItem): string {
  return prompt === null ? '' : `<p class="prompt" dir="auto">${escapeHtml(prompt)}</p>\n`;
}

export function validity(expiresAt: number): string {
  const until = new Date(expiresAt).toISOString();
  return `<p class="small">This link works until <time datetime="${until}">${until.slice(0, 16).replace('T', ' ')} UTC</time>, unless it is revoked earlier.</p>`;
}

/** Returns the page of a link that no longer works, or never did. */
export function endedPage(reason: string): string {
  return frame('Link not available', `<h1>Link not available</h1>\n<p>${escapeHtml(reason)}</p>`);
}

/** Returns a page that needs no script. @param tags further tags of the head, each with its line end */
export function frame(title: string, content: string, tags = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title}</title>
${tags}<style>${STYLE}</style>
<main>
${content}
</main>
</html>
`;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.6 system-ui, sans-serif; }
html { background: Canvas; color: CanvasText; }
body { margin: 0; }
main { max-width: 72rem; margin: 0 auto; padding: 1rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .8rem; font-size: 1.15rem; font-weight: 600; }
img, video { display: block; max-width: 100%; width: auto; height: auto; max-height: 82vh; margin: 0 auto; border-radius: .5rem; }
a { color: light-dark(#0b57a4, #8ec5ff); }
.prompt { max-width: 46rem; white-space: pre-wrap; }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(16rem, 100%), 1fr)); gap: 1.25rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.gallery img, .gallery video { width: 100%; aspect-ratio: 1; object-fit: contain; background: light-dark(#eee, #1c1c1c); }
.gallery p { margin: .4rem 0 0; }
.small { font-size: .875rem; color: light-dark(#555, #bbb); }
`;

/** Policy that allows the only style of the page and files of this service, and nothing else. */
export const SHARED_PAGE_POLICY = [
  "default-src 'none'",
  "img-src 'self'",
  "media-src 'self'",
  `style-src 'sha256-${hash('sha256', STYLE, 'base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
