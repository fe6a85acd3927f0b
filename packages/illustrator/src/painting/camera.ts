import type { Stage } from '../model/stage.ts';
import { placeAt } from './figures/placement.ts';

interface CameraPose {
  /** Horizontal shift in world units. */
  readonly x: number;
  readonly y: number;
  readonly zoom: number;
}

const REST: CameraPose = { x: 0, y: 0, zoom: 1 };

/**
 * Returns the camera's pose at a time of the film for a depth: 0 at infinity, 1 next to it. Stills do not move.
 * Zoom never falls below 1 and shifts stay within the stage's margin, so that the edge of the painted area is never
 * visible.
 */
export function cameraAt(stage: Stage, time: number, depth: number): CameraPose {
  const { camera, motion } = stage.scene;
  if (stage.duration <= 0 || motion === 0 || camera === 'still') return REST;
  const progress = ease(Math.max(0, Math.min(1, time / stage.duration)));
  const reach = Math.min(1.6, motion) * Math.min(1.25, 0.55 + stage.duration / 12);
  const shift = 0.19 * reach * depth * (progress * 2 - 1);
  const growth = 0.3 * reach * (0.25 + 0.75 * depth);
  switch (camera) {
    case 'push_in':
      return { x: 0, y: 0, zoom: 1 + growth * progress };
    case 'pull_out':
      return { x: 0, y: 0, zoom: 1 + growth * (1 - progress) };
    case 'pan_right':
      return { x: shift, y: 0, zoom: 1 };
    case 'pan_left':
      return { x: -shift, y: 0, zoom: 1 };
    case 'rise':
      return { x: 0, y: -shift * 0.8, zoom: 1.02 };
    case 'sink':
      return { x: 0, y: shift * 0.8, zoom: 1.02 };
    case 'drift':
      return {
        x: Math.sin(progress * Math.PI * 2) * 0.045 * reach * depth,
        y: Math.sin(progress * Math.PI * 4) * 0.012 * reach * depth,
        zoom: 1.01 + growth * 0.35 * progress,
      };
  }
}

/** Share of the way from the middle of the view to the main figure that the camera turns. */
const ATTENTION = 0.6;

/**
 * Returns the world point that stays in place during a zoom: between the middle of the view, at the height of the
 * horizon, and the main figure.
 */
export function aimOf(stage: Stage): { readonly x: number; readonly y: number } {
  const x = stage.corner.x + stage.width / stage.unit / 2;
  const y = Math.min(stage.frame.bottom * 0.7, stage.horizon);
  const [main] = stage.scene.figures;
  if (main === undefined) return { x, y };
  const place = placeAt(stage, main, stage.duration / 2);
  return {
    x: Math.max(-stage.frame.right, Math.min(stage.frame.right, x + (place.x - x) * ATTENTION)),
    y: Math.max(0, Math.min(stage.frame.bottom, y + (place.y - place.size / 2 - y) * ATTENTION)),
  };
}

/** Returns the eased progress: slow at both ends, and moving from the first frame on. */
function ease(progress: number): number {
  return progress * 0.55 + progress * progress * (3 - 2 * progress) * 0.45;
}
