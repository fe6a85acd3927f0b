import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { chanceAt, smoothNoise } from '../random.ts';
import type { Brush, Stage } from '../stage.ts';
import { changePixels, edges } from './pixels.ts';

/** Thin paint on paper: shapes run a little, pigment gathers at their rims, the paper shows through and stays white about the edge. */
export function finishWatercolour(canvas: Canvas, stage: Stage): void {
  const { seed } = stage.scene;
  changePixels(canvas, stage.duration > 0 ? 800 : 1500, (pixels) => {
    const { data, width, height } = pixels;
    const source = data.slice();
    const lines = edges(pixels);
    const short = Math.min(width, height);
    const reach = short * 0.0042;
    const pitch = short * 0.03;
    const waver = (length: number, salt: number): Float32Array =>
      Float32Array.from({ length }, (_, at) => smoothNoise(seed + salt, at / pitch));
    const [acrossX, acrossY, downX, downY] = [waver(width, 1), waver(width, 2), waver(height, 3), waver(height, 4)] as [
      Float32Array,
      Float32Array,
      Float32Array,
      Float32Array,
    ];
    const blotX = waver(width * 2, 5);
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const fromX = Math.max(0, Math.min(width - 1, Math.round(x + (downX[y]! + acrossX[(x + y) % width]!) * reach)));
        const fromY = Math.max(
          0,
          Math.min(height - 1, Math.round(y + (acrossY[x]! + downY[(x + y) % height]!) * reach)),
        );
        const place = fromY * width + fromX;
        const rim = Math.min(0.3, lines[place]! / 420);
        const blot = 0.07 * blotX[Math.floor((x + y * 0.6) / 2)]! * downX[(y + (x >> 1)) % height]!;
        const margin = Math.min(x, y, width - 1 - x, height - 1 - y) / short - 0.03 - 0.016 * (downX[y]! + acrossY[x]!);
        const paint = Math.max(0, Math.min(1, margin * 60)) * (0.8 + blot);
        const wet = margin > 0 && margin < 0.012 ? 0.12 : 0;
        for (let part = 0; part < 3; part++) {
          const paper = part === 0 ? 250 : part === 1 ? 246 : 236;
          const colour = source[place * 4 + part]! * (1 - rim - wet) + 14;
          data[at * 4 + part] = paper + (colour - paper) * paint;
        }
      }
    }
  });
}

/** Chalk on tinted paper: milky lights, no hard darks, a rosy cast. */
export function finishPastel(canvas: Canvas): void {
  overlay(canvas, (brush, { width, height }) => {
    brush.globalAlpha = 0.26;
    brush.fillStyle = '#fff3ea';
    brush.fillRect(0, 0, width, height);
    brush.globalAlpha = 0.4;
    brush.globalCompositeOperation = 'soft-light';
    brush.fillStyle = '#ffc9dc';
    brush.fillRect(0, 0, width, height);
    brush.globalCompositeOperation = 'lighten';
    brush.globalAlpha = 0.32;
    brush.fillStyle = '#8f86a6';
    brush.fillRect(0, 0, width, height);
  });
}

/** Black and white film: deep blacks, a corner light, blinds and a few scratches. */
export function finishFilmNoir(canvas: Canvas, stage: Stage, time: number): void {
  const { seed } = stage.scene;
  const frame = Math.floor(time * 12);
  overlay(canvas, (brush, { width, height }) => {
    brush.globalCompositeOperation = 'saturation';
    brush.fillStyle = '#808080';
    brush.fillRect(0, 0, width, height);
    brush.globalCompositeOperation = 'overlay';
    const self = createCanvas(width, height);
    self.getContext('2d').drawImage(canvas, 0, 0);
    brush.globalAlpha = 0.7;
    brush.drawImage(self, 0, 0);
    brush.globalAlpha = 1;
    brush.globalCompositeOperation = 'multiply';
    const vignette = brush.createRadialGradient(
      width * 0.5,
      height * 0.48,
      Math.min(width, height) * 0.22,
      width * 0.5,
      height * 0.5,
      Math.hypot(width, height) * 0.56,
    );
    vignette.addColorStop(0, '#ffffff');
    vignette.addColorStop(0.55, '#9a9a9a');
    vignette.addColorStop(1, '#101010');
    brush.fillStyle = vignette;
    brush.fillRect(0, 0, width, height);
    brush.fillStyle = 'rgba(0, 0, 0, 0.1)';
    const slat = height / 15;
    for (let blind = -4; blind < 22; blind++) {
      brush.beginPath();
      brush.moveTo(0, blind * slat + slat * 2.6);
      brush.lineTo(width, blind * slat - slat * 0.6);
      brush.lineTo(width, blind * slat - slat * 0.1);
      brush.lineTo(0, blind * slat + slat * 3.1);
      brush.fill();
    }
    brush.globalCompositeOperation = 'source-over';
    brush.strokeStyle = 'rgba(255, 255, 255, 0.1)';
    brush.lineWidth = Math.max(1, width / 1400);
    for (let scratch = 0; scratch < 3; scratch++) {
      const x = chanceAt(seed, 'scratch', scratch, frame) * width;
      brush.beginPath();
      brush.moveTo(x, 0);
      brush.lineTo(x + width * 0.004, height);
      brush.stroke();
    }
  });
}

function overlay(canvas: Canvas, paint: (brush: Brush, sides: { width: number; height: number }) => void): void {
  const brush = canvas.getContext('2d');
  brush.save();
  brush.setTransform(1, 0, 0, 1, 0, 0);
  paint(brush, canvas);
  brush.restore();
}
