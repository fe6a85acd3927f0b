/* Plans and paints in this process, with the canvas and mediabunny, without limits. */
export { planPicture } from './composition/plan.ts';
export { writeFilm } from './film/film.ts';
export { releasePixels } from './model/release-pixels.ts';
export { paintPlan } from './painting/paint-plan.ts';
export { createSceneRenderer } from './painting/paint-scene.ts';
