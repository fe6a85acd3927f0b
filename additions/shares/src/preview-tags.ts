import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { cutText } from '@darkroom-service/contract';
import { thumbnailKeyOf } from '@darkroom-service/darkroom/kernel-views';
import type { SharedItem } from './open-share.ts';

/** Maximum size of a picture in a card: X accepts no larger ones. */
const MOST_PICTURE_BYTES = 5_000_000;
const MOST_DESCRIPTION = 300;
/** Formats that every chat shows. */
const SHOWN = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/**
 * Returns Open Graph and Twitter card tags, by which chats and networks show a link as a card. The files that they name
 * need no key, and end with the link.
 * @param page the absolute address of the page
 * @param file the address of the first item's file, relative to the page
 */
export function previewTags(title: string, item: SharedItem, page: string, file: string): string {
  const { type, output, prompt } = item;
  const address = new URL(file, page).href;
  const isShown = SHOWN.includes(output.contentType) && output.bytes <= MOST_PICTURE_BYTES;
  const thumbnail = thumbnailKeyOf(output) === null ? [] : [['og:image', `${address}&variant=thumbnail`] as const];
  const picture = isShown ? [['og:image', address] as const, ...sizeOf('og:image', item)] : thumbnail;
  const film =
    type === 'image'
      ? []
      : ([['og:video', address], ['og:video:type', output.contentType], ...sizeOf('og:video', item)] as const);
  const tags = [
    ['og:title', title],
    ['og:type', type === 'video' ? 'video.other' : 'website'],
    ['og:url', page],
    ...(prompt === null ? [] : [['og:description', cutText(prompt, MOST_DESCRIPTION)] as const]),
    ...picture,
    ...(picture.length === 0 ? [] : [['og:image:alt', title] as const]),
    ...film,
  ];
  const card = picture.length === 0 ? 'summary' : 'summary_large_image';
  const lines = tags.map(([name, content]) => `<meta property="${name}" content="${escapeHtml(content ?? '')}">`);
  return `${lines.join('\n')}\n<meta name="twitter:card" content="${card}">\n`;
}

function sizeOf(name: string, { output: { width, height } }: SharedItem): (readonly [string, string])[] {
  if (width === null || height === null) return [];
  return [
    [`${name}:width`, String(width)],
    [`${name}:height`, String(height)],
  ];
}
