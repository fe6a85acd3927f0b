/** Colours are `#rrggbb`; they are mixed in OKLab, where equal steps look equal and mixtures do not turn grey. */

/** Mixes two colours: `share` 0 gives `from`, 1 gives `to`. */
export function mix(from: string, to: string, share: number): string {
  const a = toLab(from);
  const b = toLab(to);
  return fromLab([a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share]);
}

/** Returns a lighter (up to 1) or darker (down to −1) colour of the same hue. */
export function lighten(colour: string, amount: number): string {
  const [lightness, a, b] = toLab(colour);
  const to = amount > 0 ? lightness + (1 - lightness) * amount : lightness * (1 + amount);
  const chroma = amount > 0 ? 1 - amount * 0.6 : 1 + amount * 0.4;
  return fromLab([to, a * chroma, b * chroma]);
}

/** Scales a colour's chroma: 0 is grey, 1 leaves the colour, 2 doubles its chroma. */
export function saturate(colour: string, factor: number): string {
  const [lightness, a, b] = toLab(colour);
  return fromLab([lightness, a * factor, b * factor]);
}

export function rotateHue(colour: string, degrees: number): string {
  const [lightness, a, b] = toLab(colour);
  const angle = (degrees * Math.PI) / 180;
  return fromLab([lightness, a * Math.cos(angle) - b * Math.sin(angle), a * Math.sin(angle) + b * Math.cos(angle)]);
}

/** Returns a surface's own colour under a light; white paper gets the colour of the light. */
export function underLight(colour: string, light: string): string {
  const a = toRgb(colour);
  const b = toRgb(light);
  return toHex([(a[0] * b[0]) / 255, (a[1] * b[1]) / 255, (a[2] * b[2]) / 255]);
}

export function withAlpha(colour: string, alpha: number): string {
  const [red, green, blue] = toRgb(colour);
  return `rgba(${red}, ${green}, ${blue}, ${Math.max(0, Math.min(1, alpha)).toFixed(3)})`;
}

/** Returns the perceived lightness, 0 to 1. */
export function lightness(colour: string): number {
  return toLab(colour)[0];
}

/** Returns red, green and blue, 0 to 255. */
export function toRgb(colour: string): [number, number, number] {
  const value = Number.parseInt(colour.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

export function toHex(rgb: readonly [number, number, number]): string {
  const [red, green, blue] = rgb.map((part) => Math.max(0, Math.min(255, Math.round(part)))) as [
    number,
    number,
    number,
  ];
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`;
}

type Lab = readonly [number, number, number];

function toLab(colour: string): Lab {
  const [red, green, blue] = toRgb(colour).map(toLinear) as [number, number, number];
  const l = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const m = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const s = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromLab([lightness, a, b]: Lab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return toHex([
    fromLinear(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    fromLinear(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    fromLinear(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]);
}

function toLinear(part: number): number {
  const value = part / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function fromLinear(value: number): number {
  return 255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);
}
