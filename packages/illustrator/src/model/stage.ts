import type { Canvas, Image, SKRSContext2D } from '@napi-rs/canvas';
import type { Scene } from './scene.ts';

/** The visible rectangle, in fractions of the frame that the scene was composed for. */
export type View = {
  /** Width divided by height of the frame that the scene was composed for. */
  readonly frameRatio: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type Brush = SKRSContext2D;
export type Picturesque = Canvas | Image;

export interface StageOptions {
  /** Sides of the picture in pixels. */
  readonly width: number;
  readonly height: number;
  /** Length of a film in seconds; 0 for stills. */
  readonly duration?: number;
  readonly view?: View | null;
  readonly references?: readonly Picturesque[];
  /** Detail in addition to the scene's own. */
  readonly detail?: number;
}

/**
 * World units: 1 is about the shorter side of the frame, x runs from its middle to the right, y from its upper edge
 * down.
 */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A scene on a frame of a certain size, for all painting functions. */
export interface Stage {
  readonly scene: Scene;
  readonly width: number;
  readonly height: number;
  readonly duration: number;
  readonly references: readonly Picturesque[];
  readonly detail: number;
  /** Pixels of a world unit. */
  readonly unit: number;
  /** The frame that the scene was composed for. */
  readonly frame: Box;
  /** The area to paint: the view plus a margin for the camera. */
  readonly seen: Box;
  /** World y of the horizon. */
  readonly horizon: number;
  /** World point at the picture's upper left corner. */
  readonly corner: { readonly x: number; readonly y: number };
}

/** Margin in world units for a moving camera, which shows more than the frame; a still shows only the frame. */
const CAMERA_MARGIN = 0.42;

export function createStage(scene: Scene, options: StageOptions): Stage {
  const { width, height, duration = 0, references = [] } = options;
  const view = options.view ?? { frameRatio: width / height, x: 0, y: 0, width: 1, height: 1 };
  const frameHeight = height / view.height;
  const frameWidth = width / view.width;
  const short = Math.min(frameWidth, frameHeight);
  const unit = short * Math.min(1.25, (Math.max(frameWidth, frameHeight) / short) ** 0.12);
  const halfWidth = frameWidth / unit / 2;
  const bottom = frameHeight / unit;
  const margin = duration > 0 ? CAMERA_MARGIN : 0.02;
  const corner = { x: -halfWidth + (view.x * frameWidth) / unit, y: view.y * bottom };
  return {
    scene,
    width,
    height,
    duration,
    references,
    detail: scene.detail + (options.detail ?? 0),
    unit,
    frame: { left: -halfWidth, top: 0, right: halfWidth, bottom },
    seen: {
      left: corner.x - margin,
      top: corner.y - margin,
      right: corner.x + width / unit + margin,
      bottom: corner.y + height / unit + margin,
    },
    horizon: bottom * scene.horizon,
    corner,
  };
}

/** Returns the world x of a place from −1 (left edge of the frame) to 1. */
export function worldX(stage: Stage, x: number): number {
  return x * stage.frame.right;
}

/** Returns the world y on the ground: 0 at the horizon, 1 at the lower edge of the frame. */
export function groundY(stage: Stage, depth: number): number {
  return stage.horizon + (stage.frame.bottom - stage.horizon) * depth;
}

export function fillBox(brush: Brush, box: Box): void {
  brush.fillRect(box.left, box.top, box.right - box.left, box.bottom - box.top);
}

/** Creates a vertical gradient over evenly spaced colours. */
export function vertical(brush: Brush, top: number, bottom: number, colours: readonly string[]): CanvasGradient {
  const gradient = brush.createLinearGradient(0, top, 0, bottom);
  colours.forEach((colour, index) => {
    gradient.addColorStop(colours.length === 1 ? 0 : index / (colours.length - 1), colour);
  });
  return gradient;
}

type CanvasGradient = ReturnType<SKRSContext2D['createLinearGradient']>;

/** Paints a soft round light around a point. */
export function glow(
  brush: Brush,
  x: number,
  y: number,
  radius: number,
  stops: readonly (readonly [number, string])[],
): void {
  const gradient = brush.createRadialGradient(x, y, 0, x, y, radius);
  for (const [place, colour] of stops) gradient.addColorStop(place, colour);
  brush.fillStyle = gradient;
  brush.fillRect(x - radius, y - radius, radius * 2, radius * 2);
}
