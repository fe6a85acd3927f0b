import type { GuidePage } from '@darkroom-service/darkroom/kernel-http';
import type { Section } from '../src/section.ts';

const BEGINNING = /<h([1-4]) id="([^"]+)">(.*?)<\/h\1>|<section class="error" id="([^"]+)">\s*<h4>(.*?)<\/h4>/gs;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', gt: '>', lt: '<', quot: '"', '#39': "'" };

/** Splits the content of a page at its headings and error codes, for the search. */
export function sectionsOf({ name, title }: GuidePage, content: string): Section[] {
  const beginnings = [...content.matchAll(BEGINNING)];
  return beginnings.map((match, index) => {
    const [whole, depth, id, heading, errorId, error] = match;
    const end = beginnings[index + 1]?.index ?? content.length;
    const isTop = depth === '1';
    return {
      page: name,
      title,
      heading: isTop ? '' : textOf(heading ?? error ?? ''),
      anchor: isTop ? '' : (id ?? errorId ?? ''),
      text: textOf(content.slice(match.index + whole.length, end)),
    };
  });
}

/** Returns the words of HTML. Elements that stand apart are apart. */
function textOf(html: string): string {
  return html
    .replaceAll(/<p class="language">.*?<\/p>/g, ' ')
    .replaceAll(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(\w+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim();
}
