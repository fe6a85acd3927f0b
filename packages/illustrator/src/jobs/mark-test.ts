import { type Canvas, Path2D } from '@napi-rs/canvas';

const LETTERS: readonly (readonly [number, string])[] = [
  [0, 'M0 0 H10 M5 0 V14'],
  [14, 'M9 0 H0 V14 H9 M0 7 H7'],
  [27, 'M9 1.5 C6 -1 0 -0.5 0 3.5 C0 8 9.5 6 9.5 10.5 C9.5 15 2 15 0 12'],
  [40, 'M0 0 H10 M5 0 V14'],
];

/** Draws a small TEST mark into the lower right corner: readable and unobtrusive. */
export function drawTestMark(canvas: Canvas): void {
  const brush = canvas.getContext('2d');
  const scale = Math.max(
    0.35,
    Math.min(canvas.width / 74, canvas.height / 34, Math.min(canvas.width, canvas.height) * 0.0016),
  );
  const width = 66 * scale;
  const height = 26 * scale;
  const margin = Math.min(10 * scale, Math.max(0, (Math.min(canvas.width, canvas.height) - height) / 2));
  brush.save();
  brush.setTransform(1, 0, 0, 1, canvas.width - width - margin, canvas.height - height - margin);
  brush.globalAlpha = 1;
  brush.fillStyle = 'rgba(15, 18, 28, 0.55)';
  brush.beginPath();
  brush.roundRect(0, 0, width, height, height / 2);
  brush.fill();
  brush.scale(scale, scale);
  brush.translate(8, 6);
  brush.strokeStyle = 'rgba(255, 255, 255, 0.92)';
  brush.lineWidth = 2;
  brush.lineCap = 'round';
  brush.lineJoin = 'round';
  for (const [x, letter] of LETTERS) {
    const path = new Path2D();
    path.addPath(new Path2D(letter), { a: 1, b: 0, c: 0, d: 1, e: x, f: 0 });
    brush.stroke(path);
  }
  brush.restore();
}
