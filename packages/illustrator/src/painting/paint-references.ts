import type { Canvas } from '@napi-rs/canvas';
import type { Layer } from '../model/layer.ts';
import { type Brush, fillBox, type Picturesque, type Stage } from '../model/stage.ts';

/** A canvas whose content changes from frame to frame. */
export type MovingPicture = Canvas & { readonly moving: true };

/** Returns the layer of a reference picture that fills the frame instead of a world. */
export function backdropReference(stage: Stage, picture: Picturesque): Layer {
  return { depth: 0.35, moving: isMoving(picture), draw: (brush) => cover(brush, stage, picture) };
}

function isMoving(picture: Picturesque): boolean {
  return 'moving' in picture;
}

/** Fills the frame with a picture as large as needed; its mirror image continues beyond the frame. */
function cover(brush: Brush, stage: Stage, picture: Picturesque): void {
  const { frame, seen } = stage;
  const scale = Math.max((frame.right * 2) / picture.width, frame.bottom / picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  const middle = frame.bottom / 2;
  for (let column = -2; column <= 2; column++) {
    for (let row = -2; row <= 2; row++) {
      const left = column * width - width / 2;
      const top = middle + row * height - height / 2;
      if (left > seen.right || left + width < seen.left || top > seen.bottom || top + height < seen.top) continue;
      brush.save();
      brush.translate(left + width / 2, top + height / 2);
      brush.scale(column % 2 === 0 ? 1 : -1, row % 2 === 0 ? 1 : -1);
      brush.drawImage(picture, -width / 2, -height / 2, width, height);
      brush.restore();
    }
  }
}

/** Returns the layers of reference pictures as prints in a corner, away from the subject and always in view. */
export function framedReferences(stage: Stage, pictures: readonly Picturesque[]): Layer[] {
  const side = (stage.scene.figures.at(-1)?.x ?? -0.3) > 0 ? -1 : 1;
  return pictures.slice(0, 4).map((picture, index) => ({
    depth: 0.3,
    moving: isMoving(picture),
    draw: (brush: Brush) => framePrint(brush, stage, picture, side, index),
  }));
}

function framePrint(brush: Brush, stage: Stage, picture: Picturesque, side: number, index: number): void {
  const reach = Math.min(0.34, stage.frame.right * 0.62, stage.frame.bottom * 0.34);
  const scale = reach / Math.max(picture.width, picture.height);
  const width = picture.width * scale;
  const height = picture.height * scale;
  const border = reach * 0.05;
  brush.save();
  brush.translate(side * (stage.frame.right - reach * (0.66 + index * 0.5)), stage.frame.bottom - reach * 0.64);
  brush.rotate(side * (0.07 - index * 0.1));
  brush.fillStyle = 'rgba(10, 12, 24, 0.22)';
  for (const spread of [0.016, 0.009]) {
    fillBox(brush, {
      left: -width / 2 - border - spread + 0.006,
      top: -height / 2 - border - spread + 0.012,
      right: width / 2 + border + spread + 0.006,
      bottom: height / 2 + border + spread + 0.012,
    });
  }
  brush.fillStyle = '#faf7f0';
  fillBox(brush, {
    left: -width / 2 - border,
    top: -height / 2 - border,
    right: width / 2 + border,
    bottom: height / 2 + border * 2.2,
  });
  brush.drawImage(picture, -width / 2, -height / 2, width, height);
  brush.restore();
}
