import { escapeHtml } from '@darkroom-service/addition-common/http/escape-html';
import { thumbnailKeyOf } from '@darkroom-service/darkroom/kernel-views';
import type { OpenedShare, SharedItem } from './open-share.ts';
import { previewTags } from './preview-tags.ts';
import { type FileAddresses, frame, promptOf, sizeOf, validity } from './shared-page.ts';

/**
 * Returns the page of a link to several tasks. It needs no script, and loads thumbnails: an image opens in full at a
 * press, and a video loads when it is played.
 */
export function galleryPage({ items, expiresAt }: OpenedShare, { page, item: addressOf }: FileAddresses): string {
  const types = new Set(items.map(({ type }) => type));
  const kinds = types.size > 1 ? 'images and videos' : types.has('video') ? 'videos' : 'images';
  const name = `Shared ${kinds}`;
  const shown = items.map((item) => `<li>${figure(item, escapeHtml(addressOf(item.number)))}</li>`);
  const title = `${name} (${items.length})`;
  return frame(
    name,
    `<h1>${title}</h1>
<ul class="gallery">
${shown.join('\n')}
</ul>
${validity(expiresAt)}`,
    previewTags(title, items[0], page, addressOf(items[0].number)),
  );
}

function figure(item: SharedItem, source: string): string {
  const name = `${item.type === 'video' ? 'Video' : 'Image'} ${item.number}`;
  const text = promptOf(item);
  const save = `<p><a href="${source}&amp;download=1" aria-label="Download ${name.toLowerCase()}">Download</a></p>`;
  return `${item.type === 'video' ? video(item, source, name) : image(item, source, name)}\n${text}${save}`;
}

function image(item: SharedItem, source: string, name: string): string {
  const small = thumbnailKeyOf(item.output) === null ? source : `${source}&amp;variant=thumbnail`;
  const alt = escapeHtml(item.prompt ?? name);
  return `<a href="${source}"><img src="${small}"${sizeOf(item)} alt="${alt}" loading="lazy"></a>`;
}

function video(item: SharedItem, source: string, name: string): string {
  const still =
    thumbnailKeyOf(item.output) === null
      ? ' preload="metadata"'
      : ` poster="${source}&amp;variant=thumbnail" preload="none"`;
  return `<video src="${source}"${sizeOf(item)}${still} controls loop playsinline aria-label="${name}"></video>`;
}
