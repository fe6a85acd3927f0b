import { createCanvas } from '@napi-rs/canvas';
import { smoothNoise } from '../../model/random.ts';
import type { Stage } from '../../model/stage.ts';
import type { Finish } from './finish.ts';
import { edges, luminances, type Pixels, pixelOf, retouch, retouchSides } from './pixels.ts';

const LONGEST_STILL = 1800;

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Returns the size at which the style is applied: frames of a film keep their size, larger stills are scaled down. */
function sidesOf(stage: Stage, shown: Sides): Sides {
  return stage.duration > 0 ? stage : retouchSides(shown, LONGEST_STILL);
}

/** Tabulates a function for all values of a byte. */
function perByte(of: (value: number) => number): Float32Array {
  return Float32Array.from({ length: 256 }, (_, value) => of(value));
}

/** Creates the ink finish: black on cream paper, with contours, and hatching that is denser in dark areas. */
export function finishInk(stage: Stage, shown: Sides): Finish {
  const sides = sidesOf(stage, shown);
  const { width, height } = sides;
  // Whole pixels, so that all lines have the same thickness.
  const pitch = Math.round(Math.max(4, Math.min(width, height) / 130));
  const slant = Math.round(pitch * 1.41);
  const falling = stripes(width + height, slant, 0);
  const rising = stripes(width + height, slant, 9000 - height);
  const level = stripes(height, pitch, 0);
  const cover = (strength: number, from: number, spacing: number): Float32Array =>
    perByte((light) => {
      const share = (1 - light / 255) * strength - from;
      return share <= 0 ? -1e9 : Math.min(0.8, share) * spacing;
    });
  const first = cover(0.85, 0.2, slant);
  const second = cover(0.9, 0.5, slant);
  const third = cover(1.1, 0.85, pitch);
  const contour = perByte((line) => Math.max(0, line - 34) / 90);
  const tones = Uint32Array.from({ length: 256 }, (_, step) => {
    const ink = step / 255;
    return pixelOf(246 - 212 * ink, 240 - 208 * ink, 227 - 186 * ink);
  });
  const light = new Uint8Array(width * height);
  const lines = new Uint8Array(width * height);

  function draw(pixels: Pixels): void {
    luminances(pixels, light);
    edges(pixels, lines);
    for (let y = 0, at = 0; y < height; y++) {
      const across = level[y]!;
      for (let x = 0; x < width; x++, at++) {
        const tone = light[at]!;
        const hatch = Math.max(
          0,
          Math.min(
            1,
            Math.max(first[tone]! - falling[x + y]!, second[tone]! - rising[x - y + height]!, third[tone]! - across),
          ),
        );
        pixels.words[at] = tones[(Math.min(1, hatch * 0.85 + contour[lines[at]!]!) * 255) | 0]!;
      }
    }
  }
  return (painted, onto) => retouch(painted, onto, sides, draw);
}

/** Returns for each place its offset within a repeating line of `pitch` pixels. */
function stripes(length: number, pitch: number, from: number): Float32Array {
  return Float32Array.from({ length }, (_, place) => (((place + from) % pitch) + pitch) % pitch);
}

/** Creates the blueprint finish: white lines on blue, on a draughtsman's grid. */
export function finishBlueprint(stage: Stage, shown: Sides): Finish {
  const sides = sidesOf(stage, shown);
  const { width, height } = sides;
  const grid = Math.max(10, Math.round(Math.min(width, height) / 28));
  const ruled = (place: number): number => (place % (grid * 5) === 0 ? 0.2 : place % grid === 0 ? 0.09 : 0);
  const columns = Float32Array.from({ length: width }, (_, x) => ruled(x));
  const rows = Float32Array.from({ length: height }, (_, y) => ruled(y));
  const drawn = perByte((line) => Math.min(1, Math.max(0, line - 18) / 70) * 0.95);
  const tint = perByte((light) => (light / 255) * 0.22);
  const light = new Uint8Array(width * height);
  const lines = new Uint8Array(width * height);

  function draw(pixels: Pixels): void {
    luminances(pixels, light);
    edges(pixels, lines);
    for (let y = 0, at = 0; y < height; y++) {
      const row = rows[y]!;
      for (let x = 0; x < width; x++, at++) {
        const tone = tint[light[at]!]!;
        const white = Math.min(1, drawn[lines[at]!]! + Math.max(row, columns[x]!) + tone * 0.5);
        const green = Math.min(255, 62.5 + 184 * white + tone * 30);
        pixels.words[at] = 0xff000000 | ((132.5 + 120 * white) << 16) | (green << 8) | (18.5 + 222 * white);
      }
    }
  }
  return (painted, onto) => retouch(painted, onto, sides, draw);
}

/** Creates the woodcut finish with three printed colours: paper, ink cut in long waves, and one warm block. */
export function finishWoodcut(stage: Stage, shown: Sides): Finish {
  const sides = sidesOf(stage, shown);
  const { width, height } = sides;
  const waves = cutWaves(stage.scene.seed, sides);
  const tones = perByte((light) => Math.max(0, Math.min(1, (light / 255 - 0.1) * 1.62)) * 5 + 0.5);
  const depths = perByte((wave) => (wave / 255) * 0.86 * 5);
  const contour = perByte((line) => Math.min(1, Math.max(0, line - 34) / 40));
  const print = (red: number, green: number, blue: number): Uint32Array =>
    Uint32Array.from({ length: 256 }, (_, step) => {
      const ink = step / 255;
      return pixelOf(red + (30 - red) * ink, green + (26 - green) * ink, blue + (32 - blue) * ink);
    });
  const paper = print(240, 228, 203);
  const block = print(203, 84, 52);
  const light = new Uint8Array(width * height);
  const lines = new Uint8Array(width * height);

  function draw(pixels: Pixels): void {
    luminances(pixels, light);
    edges(pixels, lines);
    for (let at = 0; at < light.length; at++) {
      const tone = light[at]!;
      const cut = Math.max(0, Math.min(1, tones[tone]! - depths[waves[at]!]!));
      const ink = (Math.max(1 - cut, contour[lines[at]!]!) * 255) | 0;
      const word = pixels.words[at]!;
      const warm = tone < 172 && (word & 255) - ((word >> 16) & 255) > 84;
      pixels.words[at] = warm ? block[ink]! : paper[ink]!;
    }
  }
  return (painted, onto) => retouch(painted, onto, sides, draw);
}

/** Returns the depth of the carved waves at each pixel, 0 to 255. */
function cutWaves(seed: number, { width, height }: Sides): Uint8Array {
  const pitch = Math.max(4, Math.min(width, height) / 95);
  const wobble = Float32Array.from({ length: width }, (_, x) => smoothNoise(seed, x / (pitch * 9)) * pitch * 1.1);
  const lean = Float32Array.from({ length: width }, (_, x) => Math.sin(x / (pitch * 11)));
  const heights = Uint8Array.from(
    { length: 1024 },
    (_, turn) => 127.5 + 127.5 * Math.sin((turn / 1024) * Math.PI * 2) + 0.5,
  );
  const waves = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    const bend = smoothNoise(seed + 1, y / (pitch * 14)) * pitch * 2;
    for (let x = 0; x < width; x++, at++)
      waves[at] = heights[(((y + wobble[x]! + bend * lean[x]!) / pitch) * 1024) & 1023]!;
  }
  return waves;
}

/** The longer side of the small canvas on which the glow is blurred. */
const GLOW_SIDE = 320;

/** Creates the neon finish: glowing contours on a dark background. Colours are shifted to cyan, magenta and gold. */
export function finishNeon(stage: Stage, shown: Sides): Finish {
  const sides = sidesOf(stage, shown);
  const lines = new Uint8Array(sides.width * sides.height);
  const small = retouchSides(shown, stage.duration > 0 ? GLOW_SIDE : GLOW_SIDE * 2);
  const [light, glow] = [createCanvas(small.width, small.height), createCanvas(small.width, small.height)];
  const lightBrush = light.getContext('2d');
  lightBrush.imageSmoothingQuality = 'medium';
  const glowBrush = glow.getContext('2d');
  const blur = `blur(${Math.max(0.5, Math.min(small.width, small.height) * 0.009)}px)`;
  return (painted, onto) => {
    retouch(painted, onto, sides, (pixels) => paintNeon(pixels, lines));
    lightBrush.drawImage(onto, 0, 0, small.width, small.height);
    glowBrush.globalAlpha = 1;
    glowBrush.globalCompositeOperation = 'source-over';
    glowBrush.clearRect(0, 0, small.width, small.height);
    glowBrush.filter = blur;
    glowBrush.drawImage(light, 0, 0);
    glowBrush.filter = 'none';
    glowBrush.globalCompositeOperation = 'screen';
    glowBrush.globalAlpha = 0.7;
    glowBrush.drawImage(glow, 0, 0);
    const brush = onto.getContext('2d');
    brush.save();
    brush.setTransform(1, 0, 0, 1, 0, 0);
    brush.globalCompositeOperation = 'screen';
    brush.drawImage(glow, 0, 0, onto.width, onto.height);
    brush.restore();
  };
}

/** Share of pink by direction: lines without a colour glow in two alternating colours. */
const PINKS = Float32Array.from({ length: 1024 }, (_, turn) => 0.5 + 0.5 * Math.sin((turn / 1024) * Math.PI * 2));

function paintNeon(pixels: Pixels, lines: Uint8Array): void {
  const { words, width, height } = pixels;
  edges(pixels, lines);
  const turns = (15 / (Math.PI * 2)) * 1024;
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      const word = words[at]!;
      const red = word & 255;
      const green = (word >> 8) & 255;
      const blue = (word >> 16) & 255;
      const line = Math.min(1, Math.max(0, lines[at]! - 22) / 85);
      let r = 10.5 + red * 0.2;
      let g = 5.5 + green * 0.14;
      let b = 24.5 + blue * 0.3;
      if (line > 0) {
        const least = Math.min(red, green, blue);
        const reach = Math.max(1, Math.max(red, green, blue) - least);
        const lively = Math.min(1, reach / 60);
        const full = (255 / reach) * lively;
        const rest = 1 - lively;
        const pink = PINKS[((x / width + (y / height) * 0.7) * turns) & 1023]!;
        r = Math.min(255, r + line * ((red - least) * full + (60 + 195 * pink) * rest));
        g = Math.min(255, g + line * ((green - least) * full + (225 - 165 * pink) * rest));
        b = Math.min(255, b + line * ((blue - least) * full + (255 - 40 * pink) * rest));
      }
      words[at] = 0xff000000 | (b << 16) | (g << 8) | r;
    }
  }
}
