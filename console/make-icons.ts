import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

/**
 * Draws the icons of the installed console from its mark, `public/favicon.svg`. Run it after the mark changes:
 * `node console/make-icons.ts`. A system cuts maskable icons to its own shape, so those have no corners of their own.
 */
const PUBLIC = join(import.meta.dirname, 'public');
const ICONS = [
  { name: 'icon-192.png', size: 192, maskable: false },
  { name: 'icon-512.png', size: 512, maskable: false },
  { name: 'icon-maskable-512.png', size: 512, maskable: true },
  // For iOS, which reads no icons from the manifest.
  { name: 'apple-touch-icon.png', size: 180, maskable: true },
];

const mark = await readFile(join(PUBLIC, 'favicon.svg'), 'utf8');
for (const { name, size, maskable } of ICONS) {
  const drawing = maskable ? mark.replace(/ rx="[\d.]+"/, '') : mark;
  // Drawn at its full size: at 72 dots an inch, one unit of the drawing is one pixel.
  const density = (72 * size) / 32;
  await sharp(Buffer.from(drawing), { density }).resize(size, size).png({ palette: true }).toFile(join(PUBLIC, name));
}
