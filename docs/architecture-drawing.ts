import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOMS } from '../test/rooms.ts';

/**
 * Writes the drawing of the rooms into docs/architecture.md, from the table that holds the imports: `npm run rooms`.
 */
const PAGE = join(import.meta.dirname, 'architecture.md');
const SECTION = /(?<=<!-- made by npm run rooms -->\n\n).*?(?=\n<!-- end -->)/s;

/** The section as it is on the page. */
export function drawingInPage(): string {
  return SECTION.exec(readFileSync(PAGE, 'utf8'))?.[0] ?? '';
}

/** The section as the table makes it. An import is not drawn where a path of other arrows leads to the same room. */
export function drawingOfTable(): string {
  const imported = new Map(
    Object.entries(ROOMS).map(([room, arrows]) => [room, new Set(arrows.map((arrow) => arrow.split('/')[0] ?? arrow))]),
  );
  const reaches = (from: string, to: string): boolean =>
    [...(imported.get(from) ?? [])].some((next) => next === to || reaches(next, to));
  const lines = [...imported].flatMap(([room, targets]) => {
    const drawn = [...targets].filter((to) => ![...targets].some((other) => other !== to && reaches(other, to)));
    return drawn.length === 0 ? [`    ${room}`] : drawn.map((to) => `    ${room} --> ${to}`);
  });
  return ['```mermaid', 'flowchart TD', ...lines.reverse(), '```', ''].join('\n');
}

if (import.meta.main)
  writeFileSync(
    PAGE,
    readFileSync(PAGE, 'utf8').replace(SECTION, () => drawingOfTable()),
  );
