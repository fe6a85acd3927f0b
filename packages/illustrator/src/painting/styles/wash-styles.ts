import { createCanvas } from '@napi-rs/canvas';
import { lightness } from '../../model/colour.ts';
import { chanceAt, smoothNoise } from '../../model/random.ts';
import type { Brush, Stage } from '../../model/stage.ts';
import type { Finish } from './finish.ts';
import { edges, layOver, luminances, type Pixels, pixelOf, retouch, retouchSides } from './pixels.ts';

interface Sides {
  readonly width: number;
  readonly height: number;
}

const LONGEST_STILL = 1500;
const PAPER = [250, 246, 236] as const;

/**
 * Creates the watercolour finish: shapes run a little, pigment gathers at their rims, the paper shows through and stays
 * white around the picture.
 */
export function finishWatercolour(stage: Stage, shown: Sides): Finish {
  const sides = stage.duration > 0 ? stage : retouchSides(shown, LONGEST_STILL);
  const { from, cover, wet } = wetSheet(stage.scene.seed, sides);
  const rims = Float32Array.from({ length: 256 }, (_, line) => 1 - Math.min(0.3, line / 420));
  const lines = new Uint8Array(sides.width * sides.height);
  const dry = new Uint32Array(sides.width * sides.height);
  const [paperRed, paperGreen, paperBlue] = PAPER;

  function draw(pixels: Pixels): void {
    const { words } = pixels;
    edges(pixels, lines);
    dry.set(words);
    for (let at = 0; at < words.length; at++) {
      const place = from[at]!;
      const word = dry[place]!;
      const paint = cover[at]! / 250;
      const strength = rims[lines[place]!]! - wet[at]! / 250;
      const red = paperRed + ((word & 255) * strength + 14 - paperRed) * paint;
      const green = paperGreen + (((word >> 8) & 255) * strength + 14 - paperGreen) * paint;
      const blue = paperBlue + (((word >> 16) & 255) * strength + 14 - paperBlue) * paint;
      words[at] =
        0xff000000 |
        ((Math.min(255, blue) + 0.5) << 16) |
        ((Math.min(255, green) + 0.5) << 8) |
        (Math.min(255, red) + 0.5);
    }
  }
  return (painted, onto) => retouch(painted, onto, sides, draw);
}

interface WetSheet {
  /** Index of the pixel whose paint ran to each pixel. */
  readonly from: Uint32Array;
  /** The thickness of the paint; below, its darkening when it dries; both 0 to 250. */
  readonly cover: Uint8Array;
  readonly wet: Uint8Array;
}

function wetSheet(seed: number, { width, height }: Sides): WetSheet {
  const short = Math.min(width, height);
  const reach = short * 0.0042;
  const pitch = short * 0.03;
  const waver = (length: number, salt: number): Float32Array =>
    Float32Array.from({ length }, (_, at) => smoothNoise(seed + salt, at / pitch));
  const acrossX = waver(width, 1);
  const acrossY = waver(width, 2);
  const downX = waver(height, 3);
  const downY = waver(height, 4);
  const blots = waver(width * 2, 5);
  const from = new Uint32Array(width * height);
  const cover = new Uint8Array(width * height);
  const wet = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const fromX = Math.max(0, Math.min(width - 1, Math.round(x + (downX[y]! + acrossX[(x + y) % width]!) * reach)));
      const fromY = Math.max(0, Math.min(height - 1, Math.round(y + (acrossY[x]! + downY[(x + y) % height]!) * reach)));
      from[at] = fromY * width + fromX;
      const blot = 0.07 * blots[Math.floor((x + y * 0.6) / 2) % (width * 2)]! * downX[(y + (x >> 1)) % height]!;
      const margin = Math.min(x, y, width - 1 - x, height - 1 - y) / short - 0.03 - 0.016 * (downX[y]! + acrossY[x]!);
      cover[at] = Math.max(0, Math.min(1, margin * 60)) * (0.8 + blot) * 250;
      wet[at] = margin > 0 && margin < 0.012 ? 30 : 0;
    }
  }
  return { from, cover, wet };
}

/** Creates the pastel finish, chalk on tinted paper: milky lights, no hard darks, a rosy cast. */
export function finishPastel(): Finish {
  return (painted, shown) => {
    if (painted !== shown) layOver(shown, painted);
    const { width, height } = shown;
    const brush = shown.getContext('2d');
    brush.save();
    brush.setTransform(1, 0, 0, 1, 0, 0);
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
    brush.restore();
  };
}

/** Creates the film noir finish: deep blacks, a corner light, blinds and a few scratches. */
export function finishFilmNoir(stage: Stage, shown: Sides): Finish {
  const { seed } = stage.scene;
  const sides = retouchSides(shown, Number.POSITIVE_INFINITY);
  const { width, height } = sides;
  const light = new Uint8Array(width * height);
  const shade = shadeOf(sides);
  const exposure = exposureOf(stage.scene.palette);
  const greys = Uint32Array.from({ length: 256 }, (_, value) => pixelOf(value, value, value));
  const hard = Float32Array.from({ length: 256 }, (_, value) => {
    const tone = 1 - (1 - value / 255) ** exposure;
    const contrast = tone < 0.5 ? 2 * tone * tone : 1 - 2 * (1 - tone) * (1 - tone);
    return (tone * 0.3 + contrast * 0.7) * 1.0001;
  });

  function draw(pixels: Pixels): void {
    luminances(pixels, light);
    for (let at = 0; at < light.length; at++) pixels.words[at] = greys[(hard[light[at]!]! * shade[at]! + 0.5) | 0]!;
  }
  return (painted, onto, time) => {
    retouch(painted, onto, sides, draw);
    const brush = onto.getContext('2d');
    brush.save();
    brush.setTransform(1, 0, 0, 1, 0, 0);
    paintScratches(brush, sides, seed, Math.floor(time * 12));
    brush.restore();
  };
}

/** Returns the exposure, which brightens dark scenes: otherwise they would become completely black. */
function exposureOf({ sky, land }: Stage['scene']['palette']): number {
  const mean = (lightness(sky[1]) + lightness(sky[3]) + lightness(land)) / 3;
  return Math.max(1, Math.min(2.6, (0.55 / mean) ** 2));
}

/** Returns the light that the dark corners and the blinds leave for each pixel, 0 to 255. */
function shadeOf({ width, height }: Sides): Uint8Array {
  const canvas = createCanvas(width, height);
  const brush = canvas.getContext('2d');
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
  const { data } = brush.getImageData(0, 0, width, height);
  const shade = new Uint8Array(width * height);
  for (let at = 0; at < shade.length; at++) shade[at] = data[at * 4]!;
  return shade;
}

function paintScratches(brush: Brush, { width, height }: Sides, seed: number, frame: number): void {
  brush.strokeStyle = 'rgba(255, 255, 255, 0.1)';
  brush.lineWidth = Math.max(1, width / 1400);
  for (let scratch = 0; scratch < 3; scratch++) {
    const x = chanceAt(seed, 'scratch', scratch, frame) * width;
    brush.beginPath();
    brush.moveTo(x, 0);
    brush.lineTo(x + width * 0.004, height);
    brush.stroke();
  }
}
