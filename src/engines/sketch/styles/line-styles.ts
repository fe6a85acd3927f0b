import { type Canvas, createCanvas } from '@napi-rs/canvas';
import { smoothNoise } from '../random.ts';
import type { Stage } from '../stage.ts';
import { changePixels, edges, luminances, type Pixels } from './pixels.ts';

const LONGEST_STILL = 1800;
const LONGEST_FILM = 960;

function longest(stage: Stage): number {
  return stage.duration > 0 ? LONGEST_FILM : LONGEST_STILL;
}

/** Black ink on cream paper: contours, and hatching that thickens with the dark. */
export function finishInk(canvas: Canvas, stage: Stage): void {
  changePixels(canvas, longest(stage), (pixels) => {
    const { data, width, height } = pixels;
    const light = luminances(pixels);
    const lines = edges(pixels);
    const pitch = Math.max(4, Math.min(width, height) / 130);
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const dark = 1 - light[at]! / 255;
        const hatch = Math.max(
          stripe(x + y, pitch * 1.41, dark * 0.85 - 0.2),
          stripe(x - y + 9000, pitch * 1.41, dark * 0.9 - 0.5),
          stripe(y, pitch, dark * 1.1 - 0.85),
        );
        const ink = Math.min(1, hatch * 0.85 + Math.max(0, lines[at]! - 34) / 90);
        set(data, at, 246 - 212 * ink, 240 - 208 * ink, 227 - 186 * ink);
      }
    }
  });
}

/** How much ink a pixel gets of a row of lines that cover a share of the paper. */
function stripe(place: number, pitch: number, share: number): number {
  if (share <= 0) return 0;
  const within = ((place % pitch) + pitch) % pitch;
  return Math.max(0, Math.min(1, Math.min(0.8, share) * pitch - within));
}

/** White lines on blue, on a draughtsman's grid. */
export function finishBlueprint(canvas: Canvas, stage: Stage): void {
  changePixels(canvas, longest(stage), (pixels) => {
    const { data, width, height } = pixels;
    const light = luminances(pixels);
    const lines = edges(pixels);
    const grid = Math.max(10, Math.round(Math.min(width, height) / 28));
    for (let y = 0, at = 0; y < height; y++) {
      for (let x = 0; x < width; x++, at++) {
        const line = Math.min(1, Math.max(0, lines[at]! - 18) / 70);
        const ruled =
          x % grid === 0 || y % grid === 0 ? (x % (grid * 5) === 0 || y % (grid * 5) === 0 ? 0.2 : 0.09) : 0;
        const tone = (light[at]! / 255) * 0.22;
        const white = Math.min(1, line * 0.95 + ruled + tone * 0.5);
        set(data, at, 18 + 222 * white, 62 + 184 * white + tone * 30, 132 + 120 * white);
      }
    }
  });
}

/** Three printed colours: paper, ink cut in long waves, and one warm block. */
export function finishWoodcut(canvas: Canvas, stage: Stage): void {
  const { seed } = stage.scene;
  changePixels(canvas, longest(stage), (pixels) => {
    const { data, width, height } = pixels;
    const light = luminances(pixels);
    const lines = edges(pixels);
    const pitch = Math.max(4, Math.min(width, height) / 95);
    const wobble = Float32Array.from({ length: width }, (_, x) => smoothNoise(seed, x / (pitch * 9)) * pitch * 1.1);
    for (let y = 0, at = 0; y < height; y++) {
      const bend = smoothNoise(seed + 1, y / (pitch * 14)) * pitch * 2;
      for (let x = 0; x < width; x++, at++) {
        const wave = 0.5 + 0.5 * Math.sin(((y + wobble[x]! + bend * Math.sin(x / (pitch * 11))) / pitch) * Math.PI * 2);
        const tone = Math.max(0, Math.min(1, (light[at]! / 255 - 0.1) * 1.62));
        const cut = Math.max(0, Math.min(1, (tone - wave * 0.86) * 5 + 0.5));
        const ink = Math.max(1 - cut, Math.min(1, Math.max(0, lines[at]! - 34) / 40));
        const from = at * 4;
        const warm = data[from]! - data[from + 2]! > 84 && light[at]! < 172 ? 1 : 0;
        const [red, green, blue] = warm === 1 ? [203, 84, 52] : [240, 228, 203];
        set(data, at, red! + (30 - red!) * ink, green! + (26 - green!) * ink, blue! + (32 - blue!) * ink);
      }
    }
  });
}

/** Glowing contours in a dark room: local colours driven to cyan, magenta and gold. */
export function finishNeon(canvas: Canvas, stage: Stage): void {
  changePixels(canvas, longest(stage), (pixels) => paintNeon(pixels));
  const glow = createCanvas(canvas.width, canvas.height);
  const glowBrush = glow.getContext('2d');
  glowBrush.filter = `blur(${Math.max(1, Math.min(canvas.width, canvas.height) * 0.009)}px)`;
  glowBrush.drawImage(canvas, 0, 0);
  const brush = canvas.getContext('2d');
  brush.save();
  brush.setTransform(1, 0, 0, 1, 0, 0);
  brush.globalCompositeOperation = 'screen';
  brush.drawImage(glow, 0, 0);
  brush.globalAlpha = 0.7;
  brush.drawImage(glow, 0, 0);
  brush.restore();
}

function paintNeon(pixels: Pixels): void {
  const { data, width, height } = pixels;
  const lines = edges(pixels);
  for (let at = 0; at < lines.length; at++) {
    const from = at * 4;
    const [red, green, blue] = [data[from]!, data[from + 1]!, data[from + 2]!];
    const line = Math.min(1, Math.max(0, lines[at]! - 22) / 85);
    const most = Math.max(red, green, blue, 1);
    const least = Math.min(red, green, blue);
    const reach = Math.max(1, most - least);
    const lively = Math.min(1, reach / 60);
    const tube = (part: number, rest: number): number => rest + (((part - least) / reach) * 255 - rest) * lively;
    const base = 0.2;
    // What has no colour of its own glows in two by turns, as signs along a street do.
    const place = (at % width) / width + (at / width / height) * 0.7;
    const pink = 0.5 + 0.5 * Math.sin(place * 15);
    set(
      data,
      at,
      10 + red * base + line * tube(red, 60 + 195 * pink),
      5 + green * base * 0.7 + line * tube(green, 225 - 165 * pink),
      24 + blue * base * 1.5 + line * tube(blue, 255 - 40 * pink),
    );
  }
}

function set(data: Uint8ClampedArray, at: number, red: number, green: number, blue: number): void {
  data[at * 4] = red;
  data[at * 4 + 1] = green;
  data[at * 4 + 2] = blue;
}
