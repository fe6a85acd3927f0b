/** The resources that a media process may use for one file. docs/operating.md lists the same numbers. */
export interface MediaLimits {
  /** The maximum pixels of a picture that is decoded row by row, or of a video frame. */
  readonly pixels: number;
  /** The maximum memory (bytes) for the pixels of a picture whose format is decoded as a whole. */
  readonly decodedBytes: number;
  readonly film: FilmLimits;
  /** Processor time of one request (ms), over all threads of the process. */
  readonly cpuMs: number;
  /** Memory of the whole process (resident set, bytes). */
  readonly memoryBytes: number;
  /** The maximum duration of one request (ms), counted only while the parent process runs. */
  readonly answerMs: number;
}

/** Limits that are checked by walking the file's boxes, before its tables are read. */
export interface FilmLimits {
  readonly tracks: number;
  readonly boxes: number;
  /** Total bytes of all tables, that is, without pictures and sound. */
  readonly tableBytes: number;
  /** Maximum samples of one track whose times are listed one by one, and of all fragments together. */
  readonly samples: number;
}

const MEBIBYTE = 2 ** 20;

/** Limits of uploads, data URIs and fetched references. */
export const UNTRUSTED_LIMITS: MediaLimits = {
  pixels: 64 * MEBIBYTE,
  decodedBytes: 256 * MEBIBYTE,
  film: { tracks: 32, boxes: 100_000, tableBytes: 16 * MEBIBYTE, samples: 1_000_000 },
  cpuMs: 10_000,
  memoryBytes: 640 * MEBIBYTE,
  answerMs: 120_000,
};

/** Limits of outputs of engines, which are paid for. */
export const OUTPUT_LIMITS: MediaLimits = {
  pixels: 256 * MEBIBYTE,
  decodedBytes: 512 * MEBIBYTE,
  film: { tracks: 64, boxes: 1_000_000, tableBytes: 64 * MEBIBYTE, samples: 2_000_000 },
  cpuMs: 60_000,
  memoryBytes: 1_024 * MEBIBYTE,
  answerMs: 300_000,
};
