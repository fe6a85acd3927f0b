import { MediaFault } from '../media-fault.ts';
import type { FilmLimits } from '../media-limits.ts';

/** Counts parts of a video. Each method throws once its limit is exceeded. */
export class FilmCount {
  readonly #limits: FilmLimits;
  #boxes = 0;
  #tracks = 0;
  #tableBytes = 0;
  #fragmentSamples = 0;

  constructor(limits: FilmLimits) {
    this.#limits = limits;
  }

  box(): void {
    this.#refuse(++this.#boxes > this.#limits.boxes, `${this.#limits.boxes} boxes`);
  }

  track(): void {
    this.#refuse(++this.#tracks > this.#limits.tracks, `${this.#limits.tracks} tracks`);
  }

  table(bytes: number): void {
    this.#tableBytes += bytes;
    this.#refuse(this.#tableBytes > this.#limits.tableBytes, `${this.#limits.tableBytes} bytes of tables`);
  }

  fragment(samples: number): void {
    this.#fragmentSamples += samples;
    this.samples(this.#fragmentSamples);
  }

  /**
   * Counts samples. @param samples number of samples in one track, as far as its tables list their times one by one.
   */
  samples(samples: number): void {
    this.#refuse(samples > this.#limits.samples, `${this.#limits.samples} samples`);
  }

  #refuse(exceeded: boolean, limit: string): void {
    if (exceeded) throw new MediaFault('too_large', `expected a video with at most ${limit}, found more`);
  }
}
