/** A part of a picture in fractions of its sides; values outside 0 to 1 are beyond the picture. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Sides {
  readonly width: number;
  readonly height: number;
}
