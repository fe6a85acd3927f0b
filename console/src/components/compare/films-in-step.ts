import { type RefObject, useEffect, useState } from 'react';

/** Maximum difference of films in seconds. Beyond it, a film is set to the time of the others; it may stall. */
const MOST_APART_S = 0.12;

/** Plays all films below an element in sync, again from the beginning when the longest has ended. */
export function useFilmsInStep(root: RefObject<HTMLElement | null>) {
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    let frame = 0;
    const keepStep = () => {
      frame = requestAnimationFrame(keepStep);
      const films = filmsIn(root).filter(({ readyState }) => readyState >= HTMLMediaElement.HAVE_METADATA);
      const leader = films.reduce<HTMLVideoElement | null>(
        (longest, film) => (longest === null || film.duration > longest.duration ? film : longest),
        null,
      );
      if (leader === null) return;
      if (leader.ended) for (const film of films) film.currentTime = 0;
      for (const film of films) {
        const isOver = leader.currentTime >= film.duration;
        if (film.paused && !isOver) void film.play().catch(() => undefined);
        if (film !== leader && !isOver && Math.abs(film.currentTime - leader.currentTime) > MOST_APART_S)
          film.currentTime = leader.currentTime;
      }
    };
    frame = requestAnimationFrame(keepStep);
    return () => {
      cancelAnimationFrame(frame);
      for (const film of filmsIn(root)) film.pause();
    };
  }, [isPlaying, root]);
  return { isPlaying, toggle: () => setPlaying(!isPlaying) };
}

function filmsIn(root: RefObject<HTMLElement | null>): readonly HTMLVideoElement[] {
  return [...(root.current?.querySelectorAll('video') ?? [])];
}
