/** Distance in pixels to which colours spread: the network sees little beyond it. */
const REACH = 8;

interface Transparent {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of each pixel. */
  readonly values: Uint8Array | Uint16Array;
}

/**
 * Gives invisible pixels the colours of visible ones beside them. They usually are black, and the network would draw
 * that into the edges.
 */
export function spreadColours({ width, height, values }: Transparent): void {
  const isKnown = Uint8Array.from({ length: width * height }, (_, pixel) => (values[pixel * 4 + 3] === 0 ? 0 : 1));
  for (let distance = 0; distance < REACH; distance++) {
    const reached: number[] = [];
    for (let pixel = 0; pixel < isKnown.length; pixel++) {
      if (isKnown[pixel] === 1) continue;
      const beside = neighboursOf(pixel).filter((other) => isKnown[other] === 1);
      if (beside.length === 0) continue;
      for (let colour = 0; colour < 3; colour++) {
        const sum = beside.reduce((total, other) => total + (values[other * 4 + colour] as number), 0);
        values[pixel * 4 + colour] = Math.round(sum / beside.length);
      }
      reached.push(pixel);
    }
    for (const pixel of reached) isKnown[pixel] = 1;
  }

  function neighboursOf(pixel: number): number[] {
    const x = pixel % width;
    const beside = x === 0 ? [pixel + 1] : x === width - 1 ? [pixel - 1] : [pixel - 1, pixel + 1];
    return [...beside, pixel - width, pixel + width].filter((other) => other >= 0 && other < width * height);
  }
}
