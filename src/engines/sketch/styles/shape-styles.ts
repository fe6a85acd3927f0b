import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { chanceAt } from '../random.ts';
import type { Brush, Stage } from '../stage.ts';
import { changePixels, edges, layOver } from './pixels.ts';

const BAYER = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];

/** Large square pixels in few colours, dithered. */
export function finishPixelArt(canvas: Canvas): void {
  const side = Math.max(2, Math.round(Math.min(canvas.width, canvas.height) / 112));
  const width = Math.max(1, Math.ceil(canvas.width / side));
  const height = Math.max(1, Math.ceil(canvas.height / side));
  const small = createCanvas(width, height);
  const smallBrush = small.getContext('2d');
  smallBrush.imageSmoothingQuality = 'medium';
  smallBrush.drawImage(canvas, 0, 0, canvas.width / side, canvas.height / side);
  const image = smallBrush.getImageData(0, 0, width, height);
  const { data } = image;
  const step = 255 / 8;
  for (let at = 0; at < width * height; at++) {
    const threshold = (BAYER[(Math.floor(at / width) % 4) * 4 + ((at % width) % 4)]! / 16 - 0.47) * step * 0.34;
    const mean = (data[at * 4]! + data[at * 4 + 1]! + data[at * 4 + 2]!) / 3;
    for (let part = at * 4; part < at * 4 + 3; part++) {
      const lively = mean + (data[part]! - mean) * 1.2;
      data[part] = Math.round((lively + threshold) / step) * step;
    }
    data[at * 4 + 3] = 255;
  }
  smallBrush.putImageData(image, 0, 0);
  const brush = canvas.getContext('2d');
  brush.save();
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.imageSmoothingEnabled = false;
  brush.drawImage(small, 0, 0, width * side, height * side);
  brush.restore();
}

/** The colour about a place in pixels of the picture. */
type Sampler = (x: number, y: number) => readonly [number, number, number];

function sampler(canvas: Canvas, longest: number): Sampler {
  const scale = Math.min(1, longest / Math.max(canvas.width, canvas.height));
  const width = Math.max(1, Math.round(canvas.width * scale));
  const height = Math.max(1, Math.round(canvas.height * scale));
  const small = createCanvas(width, height);
  const brush = small.getContext('2d');
  brush.imageSmoothingQuality = 'medium';
  brush.drawImage(canvas, 0, 0, width, height);
  const { data } = brush.getImageData(0, 0, width, height);
  return (x, y) => {
    const column = Math.max(0, Math.min(width - 1, Math.floor((x / canvas.width) * width)));
    const row = Math.max(0, Math.min(height - 1, Math.floor((y / canvas.height) * height)));
    const at = (row * width + column) * 4;
    return [data[at]!, data[at + 1]!, data[at + 2]!];
  };
}

/** Facets: triangles between scattered points, each in one colour. */
export function finishLowPoly(canvas: Canvas, stage: Stage): void {
  const { seed } = stage.scene;
  const cell = Math.max(5, Math.min(canvas.width, canvas.height) / 56);
  const sample = sampler(canvas, 420);
  const shown = createCanvas(canvas.width, canvas.height);
  const brush = shown.getContext('2d');
  const point = (column: number, row: number): readonly [number, number] => [
    (column + (chanceAt(seed, 'px', column, row) - 0.5) * 0.85) * cell,
    (row + (chanceAt(seed, 'py', column, row) - 0.5) * 0.85) * cell,
  ];
  brush.lineWidth = Math.max(0.8, cell * 0.04);
  for (let row = -1; row * cell < canvas.height + cell; row++) {
    for (let column = -1; column * cell < canvas.width + cell; column++) {
      const [a, b, c, d] = [
        point(column, row),
        point(column + 1, row),
        point(column, row + 1),
        point(column + 1, row + 1),
      ];
      const rising = chanceAt(seed, 'way', column, row) < 0.5;
      for (const triangle of rising
        ? [
            [a, b, c],
            [b, d, c],
          ]
        : [
            [a, b, d],
            [a, d, c],
          ]) {
        const [p, q, r] = triangle as [typeof a, typeof a, typeof a];
        const [red, green, blue] = sample((p[0] + q[0] + r[0]) / 3, (p[1] + q[1] + r[1]) / 3);
        const lean =
          1 +
          (q[0] - p[0] + (r[1] - p[1]) * 0.6) * (0.035 / cell) +
          (chanceAt(seed, 'facet', column, row, triangle === undefined ? 0 : q[0] > p[0] ? 1 : 2) - 0.5) * 0.07;
        brush.fillStyle = `rgb(${Math.min(255, Math.round(red * lean))}, ${Math.min(255, Math.round(green * lean))}, ${Math.min(255, Math.round(blue * lean))})`;
        brush.strokeStyle = brush.fillStyle;
        brush.beginPath();
        brush.moveTo(p[0], p[1]);
        brush.lineTo(q[0], q[1]);
        brush.lineTo(r[0], r[1]);
        brush.closePath();
        brush.fill();
        brush.stroke();
      }
    }
  }
  layOver(canvas, shown, false);
}

/** Panes of coloured glass in lead, light behind them. */
export function finishStainedGlass(canvas: Canvas, stage: Stage): void {
  const { seed } = stage.scene;
  const cell = Math.max(6, Math.min(canvas.width, canvas.height) / 34);
  const sample = sampler(canvas, 360);
  const shown = createCanvas(canvas.width, canvas.height);
  const brush = shown.getContext('2d');
  const corner = (column: number, row: number): readonly [number, number] => [
    (column + (chanceAt(seed, 'gx', column, row) - 0.5) * 0.5) * cell * 0.5,
    (row + (chanceAt(seed, 'gy', column, row) - 0.5) * 0.55) * cell,
  ];
  brush.lineJoin = 'round';
  brush.strokeStyle = '#14121a';
  brush.lineWidth = cell * 0.11;
  for (let row = -1; row * cell < canvas.height + cell; row++) {
    for (let column = -2 + (((row % 2) + 2) % 2); column * cell * 0.5 < canvas.width + cell; column += 2) {
      const pane = [
        corner(column, row),
        corner(column + 1, row),
        corner(column + 2, row),
        corner(column + 2, row + 1),
        corner(column + 1, row + 1),
        corner(column, row + 1),
      ];
      const x = pane.reduce((sum, [each]) => sum + each, 0) / 6;
      const y = pane.reduce((sum, [, each]) => sum + each, 0) / 6;
      const [red, green, blue] = sample(x, y);
      const mean = (red + green + blue) / 3;
      const bright = 0.9 + 0.34 * chanceAt(seed, 'glass', column, row);
      const tint = (part: number): number =>
        Math.max(0, Math.min(255, Math.round((mean + (part - mean) * 1.55) * bright)));
      const gradient = brush.createRadialGradient(x, y, 0, x, y, cell * 0.8);
      gradient.addColorStop(
        0,
        `rgb(${Math.min(255, tint(red) + 26)}, ${Math.min(255, tint(green) + 26)}, ${Math.min(255, tint(blue) + 26)})`,
      );
      gradient.addColorStop(1, `rgb(${tint(red)}, ${tint(green)}, ${tint(blue)})`);
      brush.fillStyle = gradient;
      brush.beginPath();
      pane.forEach(([px, py], index) => {
        if (index === 0) brush.moveTo(px, py);
        else brush.lineTo(px, py);
      });
      brush.closePath();
      brush.fill();
      brush.stroke();
    }
  }
  drawContours(brush, canvas);
  layOver(canvas, shown, false);
}

/** Lead along what stands out in the picture, so that its subject is still read. */
function drawContours(brush: Brush, canvas: Canvas): void {
  const outline = createCanvas(canvas.width, canvas.height);
  outline.getContext('2d').drawImage(canvas, 0, 0);
  changePixels(
    outline,
    420,
    (pixels) => {
      const lines = edges(pixels);
      for (let at = 0; at < lines.length; at++) {
        pixels.data.fill(18, at * 4, at * 4 + 3);
        pixels.data[at * 4 + 3] = lines[at]! > 130 ? 255 : 0;
      }
    },
    'replace',
  );
  brush.drawImage(outline, 0, 0);
}
