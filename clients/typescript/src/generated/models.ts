/** Generated from the catalog by `npm run client:types`. Do not edit. */

/** RMBG 2.0. Removes the background of an image, by a network trained on licensed images only. */
export interface BriaRmbg2Image {
  /** The image whose background is removed. */
  readonly image_urls: readonly string[];
  /** The background of the result. Default: "transparent". */
  readonly background?: 'transparent' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Clarity Upscaler. Makes an image two or four times as wide and high, and invents fine detail, guided by a prompt if you like. */
export interface ClarityUpscalerImage {
  /** What the image shows, in plain words. */
  readonly prompt?: string | null | undefined;
  /** The image to enlarge. */
  readonly image_urls: readonly string[];
  /** How many times as wide and high the output is. Default: 2. */
  readonly factor?: 2 | 4 | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Enlarge. Makes an image two or four times as wide and high, by a neural network on this machine. Keeps transparency and the colour profile. Needs no key or network; a megapixel of the original takes some minutes. */
export interface EnlargeImage {
  /** How many pictures or films: always one per order. Default: 1. */
  readonly num_images?: number | undefined;
  /** The image to enlarge. */
  readonly image_urls: readonly string[];
  /** How many times as wide and as high the output is. Default: 2. */
  readonly factor?: 2 | 4 | undefined;
  /** File format of the output. JPEG has no transparency: it gets a white background. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX.2 [flex]. FLUX.2 with adjustable steps and guidance; strong at typography. */
export interface Flux2FlexImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '5:4' | '4:5' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '2:1' | '1:2' | '21:9' | '9:21' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16 from 64, at most 4194304 pixels in total. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** How much the filter allows: 0 is the strictest. Default: 2. */
  readonly safety_tolerance?: number | undefined;
  /** How closely the model follows the prompt. Default: 3.5. */
  readonly guidance_scale?: number | undefined;
  /** The number of steps. Default: 28. */
  readonly steps?: number | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX.2 [klein] 4B. Small, very fast and cheap, with open weights. Edits up to four images. */
export interface Flux2Klein4bImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '5:4' | '4:5' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '2:1' | '1:2' | '21:9' | '9:21' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16 from 64, at most 4194304 pixels in total. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** How much the filter allows: 0 is the strictest. Default: 2. */
  readonly safety_tolerance?: number | undefined;
  /** The number of steps. Default: 4. */
  readonly steps?: number | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX.2 [klein] 9B. The larger fast FLUX.2, for many drafts. */
export interface Flux2Klein9bImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '5:4' | '4:5' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '2:1' | '1:2' | '21:9' | '9:21' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16 from 64, at most 4194304 pixels in total. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** How much the filter allows: 0 is the strictest. Default: 2. */
  readonly safety_tolerance?: number | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX.2 [max]. The most capable FLUX.2, with knowledge from the web. */
export interface Flux2MaxImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '5:4' | '4:5' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '2:1' | '1:2' | '21:9' | '9:21' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16 from 64, at most 4194304 pixels in total. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** How much the filter allows: 0 is the strictest. Default: 2. */
  readonly safety_tolerance?: number | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX.2 [pro]. An all-rounder for photographs, layouts and edits, with up to eight reference images. */
export interface Flux2ProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '5:4' | '4:5' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '2:1' | '1:2' | '21:9' | '9:21' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16 from 64, at most 4194304 pixels in total. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** How much the filter allows: 0 is the strictest. Default: 2. */
  readonly safety_tolerance?: number | undefined;
  /** Whether the vendor rewrites the prompt first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX 3 Image. The newest FLUX for images: up to 4K, ten reference images, layout boxes in the prompt, knowledge from the web. */
export interface Flux3ImageImage {
  /** What the image shows. Regions may be boxes [top,left,bottom,right] on a grid of 0 to 1000. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1k". */
  readonly resolution?: '768sq' | '1k' | '1.5k' | '2k' | '4k' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '21:9' | '2:1' | '16:9' | '3:2' | '7:5' | '4:3' | '5:4' | '1:1' | '4:5' | '3:4' | '5:7' | '2:3' | '9:16' | '1:2' | '9:21' | undefined;
  /** Whether the model may search the web. Unset: the engine's default. */
  readonly grounding?: boolean | null | undefined;
  /** How much the filter allows: 0 is the strictest. Default: 2. */
  readonly safety_tolerance?: number | undefined;
  /** A dated version of the model. Default: "latest". */
  readonly version?: string | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX 3 Image Klein. The small FLUX 3 for images: fast and cheap, with ten reference images and layout boxes in the prompt. */
export interface Flux3ImageKleinImage {
  /** What the image shows. Regions may be boxes [top,left,bottom,right] on a grid of 0 to 1000. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1k". */
  readonly resolution?: '1k' | '2k' | '4k' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '3:2' | '4:3' | '1:1' | '3:4' | '2:3' | '9:16' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** FLUX 3 Max. FLUX 3 Video, tuned by fal for prompts and speed: videos with sound, between two frames or through up to ten keyframes with times. */
export interface Flux3MaxVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame, or the first and the last. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Keyframes with times, each [seconds, URL], in order. */
  readonly keyframes?: readonly (readonly [number, string])[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '21:9' | '2:1' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** How much the model thinks about the prompt and extends it. `high` takes longer. Default: "high". */
  readonly reasoning_level?: 'low' | 'high' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** FLUX 3 Video. Videos with sound, guided by up to ten keyframes with or without a time. Can continue a video. */
export interface Flux3VideoVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Keyframes in order: one is the first frame, two are first and last, more are spread over the video. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Keyframes with times, each [seconds, URL], in order. */
  readonly keyframes?: readonly (readonly [number, string])[] | null | undefined;
  /** A video to continue. */
  readonly video_url?: string | null | undefined;
  /** hd is 720p, fhd 1080p, qhd 1440p, uhd 2160p. Default: "hd". */
  readonly resolution?: 'hd' | 'fhd' | 'qhd' | 'uhd' | undefined;
  /** Width to height of the video. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '21:9' | '2:1' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Without it the model chooses. */
  readonly duration?: number | null | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** A fast draft that you can enhance later. Default: false. */
  readonly draft?: boolean | undefined;
  /** The draft to enhance. */
  readonly draft_cache?: string | null | undefined;
  /** How much the filter allows: 0 is the strictest. At most 2 with images or videos. Default: 2. */
  readonly safety_tolerance?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** Gemini Omni Flash 1.1. Videos from text, up to ten images and three short videos. Edits by instruction; lengths in fractions of a second. */
export interface GeminiOmniFlash1_1Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Short videos to refer to or to edit, at most 3 seconds each. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '360p' | '720p' | '1080p' | '4k' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds. Fractions are allowed. Default: 8. */
  readonly duration?: number | undefined;
  /** A video to continue. The result starts with it. */
  readonly video_url?: string | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Gemini Omni Flash 1.2. Videos with sound of up to 15 seconds from text, up to six images and three short videos. Edits and continues videos by instruction. */
export interface GeminiOmniFlash1_2Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Short videos to refer to or to edit, at most 3 seconds each. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '360p' | '720p' | '1080p' | '4k' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds. Fractions are allowed. Default: 8. */
  readonly duration?: number | undefined;
  /** A video to continue. The result starts with it. */
  readonly video_url?: string | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** GPT Image 2. Follows long instructions and renders text well. Edits with masks and up to 16 images. */
export interface GptImage2Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** batch: cheaper, made within 24 hours. standard: at once. Default: "standard". */
  readonly speed?: 'standard' | 'batch' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** White is changed, black stays. The mask is scaled to the first image. */
  readonly mask_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '3:2' | '2:3' | '4:3' | '3:4' | '16:9' | '9:16' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16, no side above 3840, 655360 to 8294400 pixels in total, at most 3:1. */
  readonly size?: string | null | undefined;
  /** The quality of the image. It affects the price. Default: "medium". */
  readonly quality?: 'low' | 'medium' | 'high' | undefined;
  /** The background. `transparent` needs png or webp. Default: "auto". */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The quality of jpeg and webp, in percent. Default: 100. */
  readonly output_compression?: number | undefined;
  /** The strictness of the vendor's own filter. Default: "auto". */
  readonly moderation?: 'auto' | 'low' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'mask')[] | null | undefined;
}

/** GPT Image 2.5 Flare. The fast tier of GPT Image 2.5: five quality steps at the prices of 2.6. */
export interface GptImage2_5FlareImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** batch: cheaper, made within 24 hours. standard: at once. Default: "standard". */
  readonly speed?: 'standard' | 'batch' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** White is changed, black stays. The mask is scaled to the first image. */
  readonly mask_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '3:2' | '2:3' | '4:3' | '3:4' | '16:9' | '9:16' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16, no side above 3840, 655360 to 8294400 pixels in total, at most 3:1. */
  readonly size?: string | null | undefined;
  /** The quality of the image. It affects the price. Default: "medium". */
  readonly quality?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** The background. `transparent` needs png or webp. Default: "auto". */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The quality of jpeg and webp, in percent. Default: 100. */
  readonly output_compression?: number | undefined;
  /** The strictness of the vendor's own filter. Default: "auto". */
  readonly moderation?: 'auto' | 'low' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'mask')[] | null | undefined;
}

/** GPT Image 2.5 Sunburst. The precise tier of GPT Image 2.5, for layouts and edits that were tuned for it. */
export interface GptImage2_5SunburstImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** batch: cheaper, made within 24 hours. standard: at once. Default: "standard". */
  readonly speed?: 'standard' | 'batch' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** White is changed, black stays. The mask is scaled to the first image. */
  readonly mask_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '3:2' | '2:3' | '4:3' | '3:4' | '16:9' | '9:16' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16, no side above 3840, 655360 to 8294400 pixels in total, at most 3:1. */
  readonly size?: string | null | undefined;
  /** The quality of the image. It affects the price. Default: "medium". */
  readonly quality?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** The background. `transparent` needs png or webp. Default: "auto". */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The quality of jpeg and webp, in percent. Default: 100. */
  readonly output_compression?: number | undefined;
  /** The strictness of the vendor's own filter. Default: "auto". */
  readonly moderation?: 'auto' | 'low' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'mask')[] | null | undefined;
}

/** GPT Image 2.6 Flare. The fast tier of GPT Image 2.6: five quality steps, images up to 3840 pixels wide. */
export interface GptImage2_6FlareImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** White is changed, black stays. The mask is scaled to the first image. */
  readonly mask_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '3:2' | '2:3' | '4:3' | '3:4' | '16:9' | '9:16' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16, no side above 3840, 655360 to 8294400 pixels in total, at most 3:1. */
  readonly size?: string | null | undefined;
  /** The quality of the image. It affects the price. Default: "medium". */
  readonly quality?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** The background. `transparent` needs png or webp. Default: "auto". */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The quality of jpeg and webp, in percent. Default: 100. */
  readonly output_compression?: number | undefined;
  /** The strictness of the vendor's own filter. Default: "auto". */
  readonly moderation?: 'auto' | 'low' | undefined;
  /** How complex the image may be. Without it the model decides. */
  readonly complexity?: 'low' | 'medium' | 'high' | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'mask')[] | null | undefined;
}

/** GPT Image 2.6 Sunburst. The precise tier of GPT Image 2.6, for dense layouts and exact edits. */
export interface GptImage2_6SunburstImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** White is changed, black stays. The mask is scaled to the first image. */
  readonly mask_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '3:2' | '2:3' | '4:3' | '3:4' | '16:9' | '9:16' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: multiples of 16, no side above 3840, 655360 to 8294400 pixels in total, at most 3:1. */
  readonly size?: string | null | undefined;
  /** The quality of the image. It affects the price. Default: "medium". */
  readonly quality?: 'low' | 'medium' | 'high' | 'xhigh' | 'max' | undefined;
  /** The background. `transparent` needs png or webp. Default: "auto". */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The quality of jpeg and webp, in percent. Default: 100. */
  readonly output_compression?: number | undefined;
  /** The strictness of the vendor's own filter. Default: "auto". */
  readonly moderation?: 'auto' | 'low' | undefined;
  /** How complex the image may be. Without it the model decides. */
  readonly complexity?: 'low' | 'medium' | 'high' | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'mask')[] | null | undefined;
}

/** Grok Imagine Image. The first Grok Imagine for images: one low price at 1k and 2k. */
export interface GrokImagineImageImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1k". */
  readonly resolution?: '1k' | '2k' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '1:2' | '19.5:9' | '9:19.5' | '20:9' | '9:20' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Grok Imagine Image 2.0. Expressive images in two qualities, with the aspect ratios of phones. */
export interface GrokImagineImage2_0Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1k". */
  readonly resolution?: '1k' | '2k' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '2:1' | '1:2' | '19.5:9' | '9:19.5' | '20:9' | '9:20' | undefined;
  /** The quality of the image. Default: "medium". */
  readonly quality?: 'low' | 'medium' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Grok Imagine Video. The first Grok Imagine for videos: 480p and 720p from text, a frame or up to seven images. */
export interface GrokImagineVideoVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | undefined;
  /** Seconds. Default: 6. */
  readonly duration?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame')[] | null | undefined;
}

/** Grok Imagine Video 1.5. Fast videos with sound from text, a frame or up to seven images. */
export interface GrokImagineVideo1_5Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | undefined;
  /** Seconds. Default: 6. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Voices of the vendor for speech. */
  readonly reference_voice_ids?: readonly string[] | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame')[] | null | undefined;
}

/** Grok Imagine Video 1.5 Lite. The cheapest Grok video model. */
export interface GrokImagineVideo1_5LiteVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | undefined;
  /** Seconds. Default: 6. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Voices of the vendor for speech. */
  readonly reference_voice_ids?: readonly string[] | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame')[] | null | undefined;
}

/** Hailuo 2.3. Silent videos of six or ten seconds at a flat price; strong in movement. */
export type Hailuo2_3Video = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "768P". */
  readonly resolution?: '768P' | '1080P' | undefined;
  /** Seconds. Default: 6. */
  readonly duration?: 6 | 10 | undefined;
  /** Whether the vendor rewrites the prompt first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] } | { readonly first_frame_url: string });

/** HappyHorse 1.1. Lively videos with sound. Keeps up to nine characters from images. */
export interface Happyhorse1_1Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Characters. The prompt calls them character1 to character9. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video; without an image `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | '9:21' | '5:4' | '4:5' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame')[] | null | undefined;
}

/** HeyGen Video 1. Clips with dialogue, ambience and effects in sync, from text or a first frame. */
export interface HeygenVideo1Video {
  /** What happens in the video, spoken lines included, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "768p". */
  readonly resolution?: '480p' | '768p' | '2k' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the prompt is rewritten first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
}

/** HY-Image 3.5 Preview. Layout and lettering in many languages. */
export interface HyImage3_5PreviewImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Width to height of the image. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '4:3' | '3:4' | '16:9' | '9:16' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
}

/** Ideogram 4.5. Lettering and design, and edits that leave every other pixel as it was. */
export interface Ideogram4_5Image {
  /** What the image shows. Put text to render in quotation marks. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The image to edit, and up to four to refer to. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '1:2' | '2:1' | '2:3' | '3:2' | '4:5' | '5:4' | '9:16' | '16:9' | '5:8' | '8:5' | '3:4' | '4:3' | '9:23' | '23:9' | '3:8' | '8:3' | '5:12' | '12:5' | '1:3' | '3:1' | undefined;
  /** The quality of the image. It affects the price. very_low is for edits. Default: "medium". */
  readonly quality?: 'very_low' | 'low' | 'medium' | 'high' | undefined;
  /** Whether the vendor checks the result for known works. Default: false. */
  readonly enable_copyright_detection?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Ideogram 4.0. Lettering and graphic design, in three speeds at a flat price. */
export type IdeogramV4Image = {
  /** What the image shows. Put text to render in quotation marks. */
  readonly prompt?: string | null | undefined;
  /** A structured prompt instead of the text. */
  readonly json_prompt?: { readonly [name: string]: unknown } | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** An image to remix. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** How much the result may differ from the given image: 0 keeps it, 1 ignores it. Default: 0.8. */
  readonly strength?: number | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '1:2' | '2:1' | '2:3' | '3:2' | '4:5' | '5:4' | '9:16' | '16:9' | '5:8' | '8:5' | '3:4' | '4:3' | '9:22' | '22:9' | '9:23' | '23:9' | '3:8' | '8:3' | '5:12' | '12:5' | '1:3' | '3:1' | undefined;
  /** Speed or quality. It affects the price. Default: "DEFAULT". */
  readonly rendering_speed?: 'TURBO' | 'DEFAULT' | 'QUALITY' | undefined;
  /** Whether the vendor checks the result for known works. Default: false. */
  readonly enable_copyright_detection?: boolean | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
} & ({ readonly prompt: string } | { readonly json_prompt: { readonly [name: string]: unknown } });

/** Join videos. Plays 2 to 20 videos of one size one after the other, with their sound. Nothing is encoded again. Free, and made on this machine. */
export interface JoinVideo {
  /** How many pictures or films: always one per order. Default: 1. */
  readonly num_images?: number | undefined;
  /** The videos, in the order in which they play: of one size, as one model makes them. */
  readonly video_urls: readonly string[];
}

/** Kling 3.0. Several shots in one video, voices, elements that keep their look, up to 4k. */
export type Kling3_0Video = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Shots instead of one prompt, each { prompt, duration }. Their seconds add up to duration. */
  readonly multi_prompt?: readonly ({ readonly prompt: string; readonly duration: number })[] | null | undefined;
  /** Whether you define the shots or the model cuts by itself. Default: "customize". */
  readonly shot_type?: 'customize' | 'intelligent' | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Characters or objects, each with a front image and up to three more. The prompt calls them @Element1, @Element2. */
  readonly elements?: readonly ({ readonly frontal_image_url: string; readonly reference_image_urls?: readonly string[] | undefined })[] | null | undefined;
  /** Voices of the vendor that the prompt uses. */
  readonly voice_ids?: readonly string[] | null | undefined;
  /** What the output must not show. Default: "blur, distort, and low quality". */
  readonly negative_prompt?: string | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | '4k' | undefined;
  /** Width to height of the video; without a frame `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** How closely the model follows the prompt. Default: 0.5. */
  readonly guidance_scale?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly multi_prompt: readonly ({ readonly prompt: string; readonly duration: number })[] });

/** Kling 3.0 Motion Control. Moves a character from an image like the person in a video, with its expressions and camera. */
export interface Kling3_0MotionControlVideo {
  /** What else the video shows, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The character. */
  readonly image_urls: readonly string[];
  /** The video whose motion the character takes over, of 3 to 30 seconds. */
  readonly video_url: string;
  /** The quality of the output: 720p is standard, 1080p is pro. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Whether the character faces as in the video or as in its image. Default: "video". */
  readonly character_orientation?: 'video' | 'image' | undefined;
  /** Whether the sound of the video is kept. Default: true. */
  readonly keep_original_sound?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Kling 3.0 Turbo. The fast Kling 3 with sound and several shots. */
export type Kling3_0TurboVideo = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Shots instead of one prompt, each { prompt, duration }. Their seconds add up to duration. */
  readonly multi_prompt?: readonly ({ readonly prompt: string; readonly duration: number })[] | null | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the video; without a frame `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
} & ({ readonly prompt: string } | { readonly multi_prompt: readonly ({ readonly prompt: string; readonly duration: number })[] });

/** Kling 4.0. Half a minute with sound, several shots, and references of every kind. */
export interface Kling4_0Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** Characters or objects, each with a front image and up to three more. The prompt calls them @Element1, @Element2. */
  readonly elements?: readonly ({ readonly frontal_image_url: string; readonly reference_image_urls?: readonly string[] | undefined })[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Kling 4.0 Edit. Rewrites the named part of a video of up to 30 seconds and keeps its timing, guided by up to ten images. */
export interface Kling4_0EditVideo {
  /** What to change in the video and what to keep. It may call the video @Video1 and the images @Image1, @Image2. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to refer to. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The video to edit, of 3 to 30 seconds. */
  readonly video_url: string;
  /** The size of the output. Its shape follows the video. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Kling 4.0 Flash. The fast Kling 4: 720p, up to 20 seconds. */
export interface Kling4_0FlashVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** Characters or objects, each with a front image and up to three more. The prompt calls them @Element1, @Element2. */
  readonly elements?: readonly ({ readonly frontal_image_url: string; readonly reference_image_urls?: readonly string[] | undefined })[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame')[] | null | undefined;
}

/** Kling Image 3. Images from the Kling family: characters and scenes that match its videos. */
export interface KlingImage3Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '3:2' | '2:3' | '21:9' | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Kling LipSync. Moves the lips of a person in a short video to a given voice. */
export interface KlingLipsyncVideo {
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video of the person, of 2 to 10 seconds. */
  readonly video_url: string;
  /** The voice, of 2 to 60 seconds. */
  readonly audio_url: string;
}

/** Kling O3. Kling 3 guided by references: up to seven images and elements, several shots, up to 4k. */
export type KlingO3Video = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Shots instead of one prompt, each { prompt, duration }. Their seconds add up to duration. */
  readonly multi_prompt?: readonly ({ readonly prompt: string; readonly duration: number })[] | null | undefined;
  /** Whether you define the shots or the model cuts by itself. Default: "customize". */
  readonly shot_type?: 'customize' | 'intelligent' | undefined;
  /** Reference images. The prompt calls them @Image1, @Image2. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Characters or objects, each with a front image and up to three more. The prompt calls them @Element1, @Element2. */
  readonly elements?: readonly ({ readonly frontal_image_url: string; readonly reference_image_urls?: readonly string[] | undefined })[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | '4k' | undefined;
  /** Width to height of the video; without a frame `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly multi_prompt: readonly ({ readonly prompt: string; readonly duration: number })[] });

/** Krea 2 Large. Images with a distinctive look, guided by style references and moodboards. */
export interface Krea2LargeImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Style reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The weight of the given style. Without it the vendor decides. */
  readonly style_strength?: number | null | undefined;
  /** Width to height of the output. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '4:3' | '3:2' | '16:9' | '2.35:1' | '4:5' | '2:3' | '9:16' | undefined;
  /** How freely the model interprets the prompt. Default: "medium". */
  readonly creativity?: 'raw' | 'low' | 'medium' | 'high' | undefined;
  /** Preset styles of Krea, each as { id }. */
  readonly styles?: readonly ({ readonly id: string })[] | null | undefined;
  /** A moodboard of Krea as { id }. */
  readonly moodboards?: readonly ({ readonly id: string })[] | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'style'[] | null | undefined;
}

/** Krea 2 Medium. The mid-size Krea 2 at half the price. */
export interface Krea2MediumImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Style reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The weight of the given style. Without it the vendor decides. */
  readonly style_strength?: number | null | undefined;
  /** Width to height of the output. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '4:3' | '3:2' | '16:9' | '2.35:1' | '4:5' | '2:3' | '9:16' | undefined;
  /** How freely the model interprets the prompt. Default: "medium". */
  readonly creativity?: 'raw' | 'low' | 'medium' | 'high' | undefined;
  /** Preset styles of Krea, each as { id }. */
  readonly styles?: readonly ({ readonly id: string })[] | null | undefined;
  /** A moodboard of Krea as { id }. */
  readonly moodboards?: readonly ({ readonly id: string })[] | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'style'[] | null | undefined;
}

/** Krea 2 Medium Turbo. The fast Krea 2 for drafts. */
export interface Krea2MediumTurboImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Style reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The weight of the given style. Without it the vendor decides. */
  readonly style_strength?: number | null | undefined;
  /** Width to height of the output. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '4:3' | '3:2' | '16:9' | '2.35:1' | '4:5' | '2:3' | '9:16' | undefined;
  /** How freely the model interprets the prompt. Default: "medium". */
  readonly creativity?: 'raw' | 'low' | 'medium' | 'high' | undefined;
  /** Preset styles of Krea, each as { id }. */
  readonly styles?: readonly ({ readonly id: string })[] | null | undefined;
  /** A moodboard of Krea as { id }. */
  readonly moodboards?: readonly ({ readonly id: string })[] | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'style'[] | null | undefined;
}

/** Krea 3. Images from text that the model plans before it draws them. */
export interface Krea3Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Width to height of the output. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '4:5' | '3:4' | '2:3' | '9:16' | '5:4' | '4:3' | '3:2' | '16:9' | '21:9' | undefined;
}

/** Last frame. The last frame of a video as an image, such as the first frame of the next one. Free, and made on this machine. */
export interface LastFrameImage {
  /** How many pictures or films: always one per order. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video. */
  readonly video_url: string;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
}

/** Local Grid. Stable Diffusion XL with follow-up actions: four drafts in one 2 by 2 grid, to upscale, vary, zoom out, edit by mask or make again. Runs on your own ComfyUI or sd-server, or on fal. */
export interface LocalGridImage {
  /** What the images show. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Width to height of each image, and of the grid. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '21:9' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
}

/** Local Image. Stable Diffusion XL, or any model you load, on your own ComfyUI or sd-server. Needs no key, and no data leaves your network. */
export interface LocalImageImage {
  /** What the image shows. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** An image to start from. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** How much the result may differ from the start image. Default: 0.6. */
  readonly strength?: number | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '21:9' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Local Video. Wan, or any model you load, on your own ComfyUI or sd-server: silent videos of up to five seconds from text or a first frame. */
export interface LocalVideoVideo {
  /** What happens in the video. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The first frame of the video. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The size that the included workflows support. Default: "480p". */
  readonly resolution?: '480p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
}

/** LTX 2.5 Fast. Videos with sound up to 20 seconds and 2160p, generated fast. */
export interface Ltx2_5FastVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '720p' | '1080p' | '1440p' | '2160p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds. Without it the model chooses. */
  readonly duration?: 6 | 8 | 10 | 12 | 14 | 16 | 18 | 20 | null | undefined;
  /** Frames per second. Default: 25. */
  readonly fps?: 24 | 25 | 48 | 50 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** How the camera moves. Without it the model decides. */
  readonly camera?: 'dolly_in' | 'dolly_out' | 'dolly_left' | 'dolly_right' | 'jib_up' | 'jib_down' | 'static' | 'focus_shift' | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** LTX 2.5 Pro. The high-quality LTX: up to ten seconds at 1080p with sound. */
export interface Ltx2_5ProVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds. Without it the model chooses. */
  readonly duration?: 6 | 8 | 10 | null | undefined;
  /** Frames per second. Default: 25. */
  readonly fps?: 24 | 25 | 50 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** How the camera moves. Without it the model decides. */
  readonly camera?: 'dolly_in' | 'dolly_out' | 'dolly_left' | 'dolly_right' | 'jib_up' | 'jib_down' | 'static' | 'focus_shift' | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** Luma Ray 3.2. Videos of five or ten seconds with up to 64 keyframes, loops and HDR. */
export interface LumaRay3_2Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Images that the video passes through. */
  readonly keyframes?: readonly string[] | null | undefined;
  /** The frame of each keyframe at 24 frames per second: 0 to 120 for five seconds, 0 to 240 for ten. */
  readonly keyframe_indexes?: readonly number[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "540p". */
  readonly resolution?: '360p' | '540p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '3:4' | '4:3' | '1:1' | '9:16' | '16:9' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: 5 | 10 | undefined;
  /** Whether the end continues into the beginning. Default: false. */
  readonly loop?: boolean | undefined;
  /** High dynamic range. Default: false. */
  readonly hdr?: boolean | undefined;
  /** Also returns the frames as EXR. It needs hdr. Default: false. */
  readonly exr_export?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Luma Ray 3.2 Edit. Renders a video of up to 18 seconds again by instruction: new style, light or objects, with the same motion. */
export interface LumaRay3_2EditVideo {
  /** What to change in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video to edit, of up to 18 seconds. */
  readonly video_url: string;
  /** The size of the output. Its shape follows the video. Default: "720p". */
  readonly resolution?: '360p' | '540p' | '720p' | '1080p' | undefined;
  /** How much of the video is kept: `adhere` most, `reimagine` least. Default: "auto". */
  readonly edit_strength?: 'auto' | 'adhere_1' | 'adhere_2' | 'adhere_3' | 'flex_1' | 'flex_2' | 'flex_3' | 'reimagine_1' | 'reimagine_2' | 'reimagine_3' | undefined;
}

/** Luma Ray 3.2 Reframe. Gives a video of up to 30 seconds another aspect ratio and paints what was outside. */
export interface LumaRay3_2ReframeVideo {
  /** What the new areas show, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video to reframe, of up to 30 seconds. */
  readonly video_url: string;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '360p' | '540p' | '720p' | undefined;
  /** Width to height of the result. Default: "16:9". */
  readonly aspect_ratio?: '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | undefined;
}

/** Luma Uni-1. Understands instructions and images together; generates and edits at 2K. */
export interface LumaUni1Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The image to edit, then up to eight reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '3:1' | '2:1' | '16:9' | '3:2' | '1:1' | '2:3' | '9:16' | '1:2' | '1:3' | undefined;
  /** The style. Default: "auto". */
  readonly style?: 'auto' | 'manga' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | undefined;
  /** Whether the model may search the web. Default: false. */
  readonly enable_web_search?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Luma Uni-1 Max. The larger Uni-1 for demanding work. */
export interface LumaUni1MaxImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The image to edit, then up to eight reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '3:1' | '2:1' | '16:9' | '3:2' | '1:1' | '2:3' | '9:16' | '1:2' | '1:3' | undefined;
  /** The style. Default: "auto". */
  readonly style?: 'auto' | 'manga' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | undefined;
  /** Whether the model may search the web. Default: false. */
  readonly enable_web_search?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** MAI-Image 2.6. Photographic images with true light and skin. */
export interface MaiImage2_6Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Width to height of the image. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '16:9' | '9:16' | undefined;
}

/** MAI-Image 2.6 Flash. The faster MAI-Image at half the price. */
export interface MaiImage2_6FlashImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Width to height of the image. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | undefined;
}

/** Midjourney. A painterly model with follow-up actions: four drafts in a grid, then upscale, vary, zoom out, pan or edit by mask. */
export interface MidjourneyImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Image prompts. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** Width to height as two whole numbers, such as 16:9. Default: "1:1". */
  readonly aspect_ratio?: string | undefined;
  /** The speed. It affects the price. Default: "relax". */
  readonly speed?: 'relax' | 'fast' | 'turbo' | undefined;
  /** Version of the model. Default: "7". */
  readonly version?: '8.2' | '8.1' | '7' | '6.1' | '5.2' | '5.1' | undefined;
  /** Whether to use the anime model. Default: false. */
  readonly niji?: boolean | undefined;
  /** The quality of the drafts. Default: "1". */
  readonly quality?: '0.25' | '0.5' | '1' | '2' | undefined;
  /** `raw` turns the house style off. Default: "standard". */
  readonly style?: 'raw' | 'standard' | undefined;
  /** The strength of the house style. */
  readonly stylize?: number | null | undefined;
  /** How different the four drafts are. */
  readonly chaos?: number | null | undefined;
  /** How unusual the result may be. */
  readonly weird?: number | null | undefined;
  /** Whether the image tiles without seams. Default: false. */
  readonly tile?: boolean | undefined;
  /** Stops early, at this percentage. */
  readonly stop?: number | null | undefined;
  /** Fast drafts. Default: false. */
  readonly draft?: boolean | undefined;
  /** Larger drafts. Default: false. */
  readonly hd?: boolean | undefined;
  /** Weight of image_urls. */
  readonly iw?: number | null | undefined;
  /** A character reference. */
  readonly cref?: string | null | undefined;
  /** Weight of cref. */
  readonly cw?: number | null | undefined;
  /** A style reference. */
  readonly sref?: string | null | undefined;
  /** Weight of sref. */
  readonly sw?: number | null | undefined;
  /** A depth reference. */
  readonly dref?: string | null | undefined;
  /** Weight of dref. */
  readonly dw?: number | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'control:depth' | 'style' | 'face')[] | null | undefined;
}

/** MiniMax H3. Videos up to 2K with sound, from frames or up to twelve references. */
export interface MinimaxH3Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "2K". */
  readonly resolution?: '480P' | '768P' | '2K' | '4K' | undefined;
  /** Width to height of the video. `adaptive` follows the first image; for text alone it is 16:9. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video carries a visible mark as generated. Default: false. */
  readonly aigc_watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** MiniMax H3 Image. Images up to 4K, and edits with up to sixteen images. */
export interface MinimaxH3ImageImage {
  /** What the image shows, or what to change, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '1:2' | '2:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '9:21' | '21:9' | undefined;
  /** The file format. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** MiniMax H3 Image Highspeed. The faster MiniMax H3 Image at twice the price. */
export interface MinimaxH3ImageHighspeedImage {
  /** What the image shows, or what to change, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '1:2' | '2:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '9:21' | '21:9' | undefined;
  /** The file format. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** MiniMax H3 Max. Videos with sound from text or frames, faster than H3. */
export interface MinimaxH3MaxVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "768P". */
  readonly resolution?: '480P' | '768P' | undefined;
  /** Width to height of the video. `adaptive` follows the first image; for text alone it is 16:9. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** How much effort the vendor spends on rewriting the prompt first. Default: "balanced". */
  readonly prompt_expansion_mode?: 'balanced' | 'quality' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** MiniMax H3 Max Recast. Puts up to four people from images into a video and keeps its motion, camera, cuts and sound. */
export interface MinimaxH3MaxRecastVideo {
  /** Who replaces whom, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** One image of each person. */
  readonly image_urls: readonly string[];
  /** The video, of 5 to 30 seconds. */
  readonly video_url: string;
  /** The size of the output. Its shape follows the video. Default: "1080P". */
  readonly resolution?: '768P' | '1080P' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** MiniMax H3 Max Turbo. H3 Max in seconds, at half the price. */
export interface MinimaxH3MaxTurboVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "768P". */
  readonly resolution?: '480P' | '768P' | undefined;
  /** Width to height of the video. `adaptive` follows the first image; for text alone it is 16:9. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '21:9' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** How much effort the vendor spends on rewriting the prompt first. Default: "balanced". */
  readonly prompt_expansion_mode?: 'balanced' | 'quality' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** Muse Image. Plans a scene before it draws, at one cent per image. */
export interface MuseImageImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The vendor decides the width to height of the image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | undefined;
}

/** Nano Banana 2. Gemini 3.1 Flash Image: up to 4K and 14 images, with banner aspect ratios and a seed. Nano Banana 2.1 is newer and cheaper. */
export interface NanoBanana2Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9' | '4:1' | '1:4' | '8:1' | '1:8' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** How long the model thinks first. */
  readonly thinking_level?: 'minimal' | 'high' | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** Whether the model may search the web. Default: false. */
  readonly enable_web_search?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Nano Banana 2 Lite. Gemini 3.1 Flash Lite Image: the cheapest of the family, 1K only, with banner aspect ratios. */
export interface NanoBanana2LiteImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** batch: cheaper, made within 24 hours. standard: at once. Default: "standard". */
  readonly speed?: 'standard' | 'batch' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** This model makes only 1K images. Default: "1K". */
  readonly resolution?: '1K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9' | '4:1' | '1:4' | '8:1' | '1:8' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** How long the model thinks first. */
  readonly thinking_level?: 'minimal' | 'high' | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Nano Banana 2.1. The fast Gemini image model: edits and combines up to 14 images, up to 4K. */
export interface NanoBanana2_1Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** batch: cheaper, made within 24 hours. standard: at once. Default: "standard". */
  readonly speed?: 'standard' | 'batch' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9' | undefined;
  /** How long the model thinks first. Default: "medium". */
  readonly thinking_level?: 'minimal' | 'medium' | 'high' | undefined;
  /** Whether the model may search the web. Default: false. */
  readonly enable_web_search?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Nano Banana Pro. Gemini 3 Pro Image: up to 14 reference images, exact text, output up to 4K. */
export interface NanoBananaProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** batch: cheaper, made within 24 hours. standard: at once. Default: "standard". */
  readonly speed?: 'standard' | 'batch' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '4:5' | '5:4' | '9:16' | '16:9' | '21:9' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** How long the model thinks first. */
  readonly thinking_level?: 'low' | 'high' | null | undefined;
  /** Whether the model may search the web. Default: false. */
  readonly enable_web_search?: boolean | undefined;
  /** How much the filter allows: 1 is the strictest. Default: "4". */
  readonly safety_tolerance?: '1' | '2' | '3' | '4' | '5' | '6' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** OmniHuman 1.5. Makes the person in an image speak or sing a given voice, with matching gestures. */
export interface Omnihuman1_5Video {
  /** How the person acts, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The person. */
  readonly image_urls: readonly string[];
  /** The voice, of up to 60 seconds at 720p and 30 at 1080p. */
  readonly audio_url: string;
  /** The size of the output. Its shape follows the image. Default: "1080p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
}

/** P-Video-2. Fast, cheap videos with sound from text or between two frames, up to 20 seconds, with a still cheaper draft. */
export interface PVideo2Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '4:3' | '3:4' | '3:2' | '2:3' | '1:1' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Frames per second. Default: 24. */
  readonly fps?: 24 | 48 | undefined;
  /** A faster, less detailed video at a lower price. Default: false. */
  readonly draft?: boolean | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the prompt is rewritten first. Only without it a seed repeats a result. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** Background Remover. Removes the background of product images and portraits, with clean edges. */
export interface PixelcutBackgroundRemoverImage {
  /** The image whose background is removed. */
  readonly image_urls: readonly string[];
  /** The background of the result. Default: "transparent". */
  readonly background?: 'transparent' | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** PixVerse V6. Cheap, fast videos in five styles, with or without sound, from one second. */
export interface PixverseV6Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '360p' | '540p' | '720p' | '1080p' | undefined;
  /** Width to height of the video; without a frame `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '2:3' | '3:2' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The visual style. */
  readonly style?: 'anime' | '3d_animation' | 'clay' | 'comic' | 'cyberpunk' | null | undefined;
  /** Whether the video has a sound track. Default: false. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the camera may cut between clips. Default: false. */
  readonly multi_clip?: boolean | undefined;
  /** Whether the vendor rewrites the prompt first. */
  readonly thinking_type?: 'enabled' | 'disabled' | 'auto' | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** PixVerse V6 Extend. Continues a video by up to 15 seconds, in one of five styles if you like. */
export interface PixverseV6ExtendVideo {
  /** What happens next in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The video to continue, of up to 30 seconds. */
  readonly video_url: string;
  /** The size of the output. Its shape follows the video. Default: "720p". */
  readonly resolution?: '360p' | '540p' | '720p' | '1080p' | undefined;
  /** Seconds that are added. Default: 5. */
  readonly duration?: number | undefined;
  /** The visual style. */
  readonly style?: 'anime' | '3d_animation' | 'clay' | 'comic' | 'cyberpunk' | null | undefined;
  /** Whether the video has a sound track. Default: false. */
  readonly generate_audio?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
}

/** PixVerse V6 Max. PixVerse V6 in higher fidelity: closer to the prompt and the camera, without sound here. */
export interface PixverseV6MaxVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '360p' | '540p' | '720p' | undefined;
  /** Width to height of the video; without a frame `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | '2:3' | '3:2' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
}

/** Qwen Image 3.0. The standard Qwen Image 3: one price at 1K and 2K. */
export interface QwenImage3Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '7:9' | '9:7' | '9:16' | '16:9' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: 262144 to 6553600 pixels in total, from 1:8 to 8:1. */
  readonly size?: string | null | undefined;
  /** Whether the vendor rewrites the prompt first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** How the prompt is rewritten. `agent` works only without images. Default: "direct". */
  readonly prompt_extend_mode?: 'direct' | 'agent' | undefined;
  /** Whether the vendor adds a visible watermark to the output. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Qwen Image 3.0 Pro. Renders long texts in many scripts. Edits up to three images. */
export interface QwenImage3ProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '7:9' | '9:7' | '9:16' | '16:9' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: 262144 to 6553600 pixels in total, from 1:8 to 8:1. */
  readonly size?: string | null | undefined;
  /** Whether the vendor rewrites the prompt first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** How the prompt is rewritten. `agent` works only without images. Default: "direct". */
  readonly prompt_extend_mode?: 'direct' | 'agent' | undefined;
  /** Whether the vendor adds a visible watermark to the output. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Recraft V4.1. Design and illustration with your own colour palette. */
export interface RecraftV4_1Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** An image to start from. It needs strength. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** How much the result may differ from the given image: 0 keeps it, 1 ignores it. */
  readonly strength?: number | null | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:1' | '1:2' | '3:2' | '2:3' | '4:3' | '3:4' | '5:4' | '4:5' | '6:10' | '14:10' | '10:14' | '16:9' | '9:16' | undefined;
  /** Preferred colours, each as [red, green, blue]. */
  readonly colors?: readonly (readonly number[])[] | null | undefined;
  /** The colour of the background as [red, green, blue]. */
  readonly background_color?: readonly number[] | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Recraft V4.1 Flash. The fast Recraft, under one cent per image. */
export interface RecraftV4_1FlashImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** An image to start from. It needs strength. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** How much the result may differ from the given image: 0 keeps it, 1 ignores it. */
  readonly strength?: number | null | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:1' | '1:2' | '3:2' | '2:3' | '4:3' | '3:4' | '5:4' | '4:5' | '6:10' | '14:10' | '10:14' | '16:9' | '9:16' | undefined;
  /** Preferred colours, each as [red, green, blue]. */
  readonly colors?: readonly (readonly number[])[] | null | undefined;
  /** The colour of the background as [red, green, blue]. */
  readonly background_color?: readonly number[] | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Recraft V4.1 Pro. Recraft at four megapixels for print and brand work. */
export interface RecraftV4_1ProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** An image to start from. It needs strength. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** How much the result may differ from the given image: 0 keeps it, 1 ignores it. */
  readonly strength?: number | null | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '2:1' | '1:2' | '3:2' | '2:3' | '4:3' | '3:4' | '5:4' | '4:5' | '6:10' | '14:10' | '10:14' | '16:9' | '9:16' | undefined;
  /** Preferred colours, each as [red, green, blue]. */
  readonly colors?: readonly (readonly number[])[] | null | undefined;
  /** The colour of the background as [red, green, blue]. */
  readonly background_color?: readonly number[] | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Recraft V4.1 Utility. Plain, practical images with your own colour palette, for everyday product and interface work. */
export interface RecraftV4_1UtilityImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Width to height of the image. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '2:1' | '1:2' | '3:2' | '2:3' | '4:3' | '3:4' | '5:4' | '4:5' | '6:10' | '14:10' | '10:14' | '16:9' | '9:16' | undefined;
  /** Preferred colours, each as [red, green, blue]. */
  readonly colors?: readonly (readonly number[])[] | null | undefined;
  /** The colour of the background as [red, green, blue]. */
  readonly background_color?: readonly number[] | null | undefined;
}

/** Recraft V4.1 Utility Pro. Recraft Utility at four megapixels. */
export interface RecraftV4_1UtilityProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Width to height of the image. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '2:1' | '1:2' | '3:2' | '2:3' | '4:3' | '3:4' | '5:4' | '4:5' | '6:10' | '14:10' | '10:14' | '16:9' | '9:16' | undefined;
  /** Preferred colours, each as [red, green, blue]. */
  readonly colors?: readonly (readonly number[])[] | null | undefined;
  /** The colour of the background as [red, green, blue]. */
  readonly background_color?: readonly number[] | null | undefined;
}

/** Reve. Images with accurate text, edits by instruction, and scenes made of up to six images. */
export interface ReveImage {
  /** What the image shows, or what to change. It may name an image as <img>0</img>, counted from 0. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to combine. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '3:2' | '4:3' | '1:1' | '3:4' | '2:3' | '9:16' | undefined;
  /** The file format. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Riverflow 2.5 Fast. The quick Riverflow, for drafts of designs. */
export interface Riverflow2_5FastImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | undefined;
  /** Width to height of the image. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '21:9' | undefined;
}

/** Riverflow 2.5 Pro. Careful design work and lettering, up to 4K. */
export interface Riverflow2_5ProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the image. Default: "1:1". */
  readonly aspect_ratio?: '1:1' | '16:9' | '9:16' | undefined;
}

/** Runway Aleph 2. Edits a video by instruction and keeps what the prompt does not name. */
export interface RunwayAleph2Video {
  /** What to change in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video to edit, of 2 to 30 seconds. */
  readonly video_url: string;
  /** The strictness of the filter for public figures. Default: "auto". */
  readonly content_moderation?: 'auto' | 'low' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
}

/** Runway Gen-4.5. Controlled, cinematic silent videos from text or a frame. */
export interface RunwayGen4_5Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '4:3' | '1:1' | '3:4' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The strictness of the filter for public figures. Default: "auto". */
  readonly content_moderation?: 'auto' | 'low' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
}

/** Runway Gen-4 Image. Images with consistent people, places and styles from up to three images. */
export interface RunwayGen4ImageImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | undefined;
  /** The strictness of the filter for public figures. Default: "auto". */
  readonly content_moderation?: 'auto' | 'low' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Runway Gen-4 Image Turbo. The fast and cheap Gen-4 Image. Needs one to three images. */
export interface RunwayGen4ImageTurboImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to refer to, in the order in which the prompt mentions them. */
  readonly image_urls: readonly string[];
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '21:9' | undefined;
  /** The strictness of the filter for public figures. Default: "auto". */
  readonly content_moderation?: 'auto' | 'low' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Runway Gen-4 Turbo. A fast video from a first frame. */
export type RunwayGen4TurboVideo = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '4:3' | '1:1' | '3:4' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** The strictness of the filter for public figures. Default: "auto". */
  readonly content_moderation?: 'auto' | 'low' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
} & ({ readonly image_urls: readonly string[] } | { readonly first_frame_url: string });

/** Seedance 1.5 Pro. The previous Seedance: videos from text or frames up to 1080p. Half the price without sound. */
export type Seedance1_5ProVideo = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `adaptive` follows the first frame. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | '21:9' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor adds a visible watermark to the video. Default: false. */
  readonly watermark?: boolean | undefined;
  /** Whether the camera is static. Default: false. */
  readonly camera_fixed?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] } | { readonly first_frame_url: string });

/** Seedance 2.0. Videos with sound from text, frames or up to twelve references, up to 4k. */
export type Seedance2_0Video = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | '1080p' | '4k' | undefined;
  /** Width to height of the video. `adaptive` follows the first image. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | '21:9' | undefined;
  /** Seconds. -1 lets the model choose. Default: 5. */
  readonly duration?: -1 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor adds a visible watermark to the video. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The bit rate. Default: "standard". */
  readonly bitrate_mode?: 'standard' | 'high' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] } | { readonly first_frame_url: string } | { readonly reference_video_urls: readonly string[] });

/** Seedance 2.0 Fast. The faster Seedance 2.0, up to 720p. */
export type Seedance2_0FastVideo = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | undefined;
  /** Width to height of the video. `adaptive` follows the first image. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | '21:9' | undefined;
  /** Seconds. -1 lets the model choose. Default: 5. */
  readonly duration?: -1 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor adds a visible watermark to the video. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] } | { readonly first_frame_url: string } | { readonly reference_video_urls: readonly string[] });

/** Seedance 2.0 Mini. The cheapest Seedance 2.0, up to 720p. */
export type Seedance2_0MiniVideo = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | undefined;
  /** Width to height of the video. `adaptive` follows the first image. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | '21:9' | undefined;
  /** Seconds. -1 lets the model choose. Default: 5. */
  readonly duration?: -1 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor adds a visible watermark to the video. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] } | { readonly first_frame_url: string } | { readonly reference_video_urls: readonly string[] });

/** Seedance 2.5. Up to half a minute in one video, with up to fifty references. */
export type Seedance2_5Video = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `adaptive` follows the first image. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | '21:9' | undefined;
  /** Seconds. -1 lets the model choose. Default: 5. */
  readonly duration?: -1 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | 22 | 23 | 24 | 25 | 26 | 27 | 28 | 29 | 30 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor adds a visible watermark to the video. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] } | { readonly first_frame_url: string } | { readonly reference_video_urls: readonly string[] } | { readonly reference_audio_urls: readonly string[] });

/** Seedream 4.5. Consistent characters and products across up to fourteen images, up to 4K at one price. */
export interface Seedream4_5Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "2K". */
  readonly resolution?: '2K' | '4K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '4:3' | '3:4' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: 3686400 to 16777216 pixels in total, from 1:16 to 16:1. */
  readonly size?: string | null | undefined;
  /** Whether the vendor adds a visible watermark to the output. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Seedream 5.0 Flash. The fastest and cheapest Seedream 5, with up to ten images. */
export interface Seedream5FlashImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "2K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '4:3' | '3:4' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: 921600 to 4624220 pixels in total, from 1:16 to 16:1. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | undefined;
  /** Whether the vendor adds a visible watermark to the output. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Seedream 5.0 Lite. The lighter Seedream 5: images up to 4K at one price. */
export interface Seedream5LiteImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "2K". */
  readonly resolution?: '2K' | '3K' | '4K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '4:3' | '3:4' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: 3686400 to 16777216 pixels in total, from 1:16 to 16:1. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | undefined;
  /** Whether the vendor adds a visible watermark to the output. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Seedream 5.0 Pro. Strong at posters, dense text and faithful edits with up to ten images. */
export interface Seedream5ProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "2K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '4:3' | '3:4' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: 921600 to 4624220 pixels in total, from 1:16 to 16:1. */
  readonly size?: string | null | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | undefined;
  /** Whether the vendor adds a visible watermark to the output. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Seedream 5.5. Lifelike pictures, edits that leave the rest untouched, and transparent backgrounds, with up to ten images. */
export interface Seedream5_5Image {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "2K". */
  readonly resolution?: '1K' | '1.5K' | '2K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '4:3' | '3:4' | '16:9' | '9:16' | '3:2' | '2:3' | '21:9' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio: 921600 to 4624220 pixels in total, from 1:16 to 16:1. */
  readonly size?: string | null | undefined;
  /** The background. `transparent` needs png. Default: "auto". */
  readonly background?: 'auto' | 'opaque' | 'transparent' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | undefined;
  /** Whether the vendor adds a visible watermark to the output. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** SeedVR2. Makes an image two or four times as wide and high, true to the original. */
export interface Seedvr2Image {
  /** The image to enlarge. */
  readonly image_urls: readonly string[];
  /** How many times as wide and high the output is. Default: 2. */
  readonly factor?: 2 | 4 | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Sketch. The built-in illustrator. Reads a prompt by rules, composes a scene and draws it in seconds, without a key or network. It is not a neural network. */
export type SketchImage = {
  /** What the image shows: sky, land, sea, weather, time of day, colours, things. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Images whose colours and content appear in the scene. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** An image that gives its colours and grain, but not its content. */
  readonly style_image_urls?: readonly string[] | null | undefined;
  /** The size of the image: 1K is about 1024 by 1024 pixels at 1:1. No side exceeds 4096 pixels. Default: "1K". */
  readonly resolution?: '0.5K' | '1K' | '2K' | '4K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '5:4' | '4:5' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '2:1' | '1:2' | '21:9' | '9:21' | '3:1' | '1:3' | '4:1' | '1:4' | '8:1' | '1:8' | undefined;
  /** Exact pixels as WIDTHxHEIGHT, instead of resolution and aspect ratio; sides of 64 to 4096. */
  readonly size?: string | null | undefined;
  /** The style. Without one the illustrator uses its default. */
  readonly style?: 'watercolour' | 'ink' | 'pixel_art' | 'neon' | 'paper_cut' | 'blueprint' | 'woodcut' | 'pastel' | 'low_poly' | 'film_noir' | 'stained_glass' | null | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'style')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] });

/** Sketch Grid. The built-in illustrator with follow-up actions: four drafts in one 2 by 2 grid, to upscale, vary, zoom out, edit by mask or make again. */
export type SketchGridImage = {
  /** What the image shows: sky, land, sea, weather, time of day, colours, things. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Images whose colours and content appear in the scene. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** An image that gives its colours and grain, but not its content. */
  readonly style_image_urls?: readonly string[] | null | undefined;
  /** The pixels of the whole grid, and of every single image made from it. Default: "1K". */
  readonly resolution?: '1K' | '2K' | undefined;
  /** Width to height of each tile, and so of the grid. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '5:4' | '4:5' | '4:3' | '3:4' | '3:2' | '2:3' | '16:9' | '9:16' | '2:1' | '1:2' | undefined;
  /** The style. Without one the illustrator uses its default. */
  readonly style?: 'watercolour' | 'ink' | 'pixel_art' | 'neon' | 'paper_cut' | 'blueprint' | 'woodcut' | 'pastel' | 'low_poly' | 'film_noir' | 'stained_glass' | null | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'style')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] });

/** Sketch Motion. The built-in illustrator for videos: 1 to 20 seconds with a moving scene and camera, and matching sound. Needs no key and no network. */
export type SketchMotionVideo = {
  /** What the video shows: sky, land, sea, weather, time of day, colours, things. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame of the video. */
  readonly last_frame_url?: string | null | undefined;
  /** A video that plays behind the prompt's subject. It repeats if it is shorter. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** A sound that replaces the video's own. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** An image that gives its colours and grain, but not its content. */
  readonly style_image_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '360p' | '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | '3:2' | '2:3' | '21:9' | '9:21' | undefined;
  /** Seconds. -1 makes the video as long as the reference video or sound, otherwise 4 seconds. Default: 5. */
  readonly duration?: unknown | -1 | undefined;
  /** Frames per second. Default: 24. */
  readonly fps?: 24 | 25 | 30 | 60 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** How the camera moves. Without it the camera follows the scene. */
  readonly camera?: 'static' | 'push_in' | 'pull_out' | 'pan_left' | 'pan_right' | 'tilt_up' | 'tilt_down' | 'drift' | null | undefined;
  /** How much moves in the scene. Default: "normal". */
  readonly motion?: 'calm' | 'normal' | 'lively' | undefined;
  /** The style. Without one the illustrator uses its default. */
  readonly style?: 'watercolour' | 'ink' | 'pixel_art' | 'neon' | 'paper_cut' | 'blueprint' | 'woodcut' | 'pastel' | 'low_poly' | 'film_noir' | 'stained_glass' | null | undefined;
  /** File format of the output. WebM has Opus sound, MP4 has AAC. Default: "mp4". */
  readonly output_format?: 'mp4' | 'webm' | undefined;
  /** The video codec. Without it h264 for MP4, vp9 for WebM. */
  readonly video_codec?: 'h264' | 'vp9' | 'av1' | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('style' | 'first_frame' | 'last_frame')[] | null | undefined;
} & ({ readonly prompt: string } | { readonly image_urls: readonly string[] } | { readonly first_frame_url: string } | { readonly reference_video_urls: readonly string[] });

/** Sync 3. Moves the lips of people in videos to a given voice, in professional quality. */
export interface Sync3Video {
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video of the person, of up to 120 seconds. */
  readonly video_url: string;
  /** The voice, of up to 120 seconds. */
  readonly audio_url: string;
  /** If video and voice differ in length: `cut_off` ends with the shorter one; `loop` and `bounce` repeat the video and `remap` changes its speed until the voice ends; `silence` keeps the whole video. Default: "cut_off". */
  readonly sync_mode?: 'cut_off' | 'loop' | 'bounce' | 'remap' | 'silence' | undefined;
}

/** Sync Lipsync 2.0. Moves the lips of people in videos to a given voice. */
export interface SyncLipsync2Video {
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video of the person, of up to 120 seconds. */
  readonly video_url: string;
  /** The voice, of up to 120 seconds. */
  readonly audio_url: string;
  /** If video and voice differ in length: `cut_off` ends with the shorter one; `loop` and `bounce` repeat the video and `remap` changes its speed until the voice ends; `silence` keeps the whole video. Default: "cut_off". */
  readonly sync_mode?: 'cut_off' | 'loop' | 'bounce' | 'remap' | 'silence' | undefined;
}

/** Fabric 1.0. Makes a face in any image, drawn or photographed, speak a given voice. */
export interface VeedFabric1_0Video {
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** An image with a clear face. */
  readonly image_urls: readonly string[];
  /** The voice, of up to 300 seconds. */
  readonly audio_url: string;
  /** The size of the output. Its shape follows the image. Default: "720p". */
  readonly resolution?: '480p' | '720p' | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'first_frame'[] | null | undefined;
}

/** Veo 3.1. The full Veo: cinematic videos with dialogue and sound, up to 4k. */
export interface Veo3_1Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images of people, objects or places that appear in the video. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | '4k' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds. Default: 8. */
  readonly duration?: 4 | 6 | 8 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Which people the output may show. The allowed values depend on the region. */
  readonly person_generation?: 'allow_all' | 'allow_adult' | 'dont_allow' | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Veo 3.1 Fast. The fast Veo: videos with sound from text, frames or references, up to 4k. */
export interface Veo3_1FastVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images of people, objects or places that appear in the video. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | '4k' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds. Default: 8. */
  readonly duration?: 4 | 6 | 8 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** Which people the output may show. The allowed values depend on the region. */
  readonly person_generation?: 'allow_all' | 'allow_adult' | 'dont_allow' | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Veo 3.1 Fast Extend. Continues a video of up to eight seconds by seven more, with sound. */
export interface Veo3_1FastExtendVideo {
  /** What happens next in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The video to continue, of up to 8 seconds, in 16:9 or 9:16. */
  readonly video_url: string;
  /** Width to height of the video. `auto` follows the video. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds that are added. Default: 7. */
  readonly duration?: 7 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
}

/** Veo 3.1 Lite. The cheapest Veo with sound, up to 1080p. */
export interface Veo3_1LiteVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The first frame. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. Same as image_urls. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the video. `auto` follows the first image; without one it is 16:9. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | undefined;
  /** Seconds. Default: 8. */
  readonly duration?: 4 | 6 | 8 | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Which people the output may show. The allowed values depend on the region. */
  readonly person_generation?: 'allow_all' | 'allow_adult' | 'dont_allow' | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('first_frame' | 'last_frame')[] | null | undefined;
}

/** Vidu Q2. Short 720p videos, priced by the first second and each further second. */
export interface ViduQ2Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** Only 720p has a published price. Default: "720p". */
  readonly resolution?: '720p' | undefined;
  /** Width to height of the video; without an image `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether a video from references has a sound track. Default: false. */
  readonly generate_audio?: boolean | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame')[] | null | undefined;
}

/** Vidu Q3 Pro. Videos of 1 to 16 seconds with sound, from text, frames or up to four images. */
export interface ViduQ3Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '540p' | '720p' | '1080p' | undefined;
  /** Width to height of the video; without an image `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Vidu Q3 Turbo. The faster Vidu Q3 at about half the price. */
export interface ViduQ3TurboVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '540p' | '720p' | '1080p' | undefined;
  /** Width to height of the video; without an image `auto` is 16:9. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '4:3' | '3:4' | '1:1' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Vidu Q4 Preview. A preview of the next Vidu: up to 4K with sound, from one frame or several images. Needs an image. */
export type ViduQ4PreviewVideo = {
  /** What happens in the video, in plain words. */
  readonly prompt?: string | null | undefined;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** Voices or sounds of 3 to 12 seconds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "720p". */
  readonly resolution?: '540p' | '720p' | '1080p' | '2K' | '4K' | undefined;
  /** Width to height of the output. `auto` follows the first image. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor adds a visible watermark to the video. Default: false. */
  readonly watermark?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame')[] | null | undefined;
} & ({ readonly image_urls: readonly string[] } | { readonly first_frame_url: string });

/** Wan 2.7. The previous Wan: videos with sound from text, frames or references, up to 15 seconds. */
export interface Wan2_7Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Reference videos. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '720p' | '1080p' | undefined;
  /** Width to height of the video; without a frame `auto` is 16:9. `auto` follows the first frame. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '16:9' | '9:16' | '1:1' | '4:3' | '3:4' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the vendor rewrites the prompt first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Wan 2.7 Image Pro. Photographs and design up to 4K, with thinking and up to eight reference images. */
export interface Wan2_7ImageProImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Images to edit or to refer to, in the order in which the prompt mentions them. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** What the output must not show. */
  readonly negative_prompt?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | '4K' | undefined;
  /** Width to height of the image. `auto` follows the first image; without one it is 1:1. Default: "auto". */
  readonly aspect_ratio?: 'auto' | '1:1' | '4:3' | '3:4' | '16:9' | '9:16' | undefined;
  /** File format of the output. Default: "jpeg". */
  readonly output_format?: 'jpeg' | 'png' | 'webp' | undefined;
  /** Whether the vendor rewrites the instruction of an edit first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly 'reference'[] | null | undefined;
}

/** Wan 3.0. One model for text, frames, references and edits: up to half a minute with sound. */
export interface Wan3_0Video {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The URL of a document to make the video from. The vendor reads it. It needs enable_thinking. */
  readonly file_url?: string | null | undefined;
  /** The URL of a page to make the video from. The vendor reads it. It needs enable_thinking. */
  readonly web_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `adaptive` follows the first image. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor rewrites the prompt first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** Whether the model plans the video first. Default: false. */
  readonly enable_thinking?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Wan 3.0 Prime. Wan 3.0 generated faster, at a higher price. */
export interface Wan3_0PrimeVideo {
  /** What happens in the video, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** Reference images. */
  readonly image_urls?: readonly string[] | null | undefined;
  /** The first frame. */
  readonly first_frame_url?: string | null | undefined;
  /** The last frame. It needs a first frame. */
  readonly last_frame_url?: string | null | undefined;
  /** Videos to refer to or to edit, as the prompt says. */
  readonly reference_video_urls?: readonly string[] | null | undefined;
  /** Reference voices or sounds. */
  readonly reference_audio_urls?: readonly string[] | null | undefined;
  /** The URL of a document to make the video from. The vendor reads it. It needs enable_thinking. */
  readonly file_url?: string | null | undefined;
  /** The URL of a page to make the video from. The vendor reads it. It needs enable_thinking. */
  readonly web_url?: string | null | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1080p". */
  readonly resolution?: '480p' | '720p' | '1080p' | undefined;
  /** Width to height of the video. `adaptive` follows the first image. Default: "adaptive". */
  readonly aspect_ratio?: 'adaptive' | '16:9' | '4:3' | '1:1' | '3:4' | '9:16' | undefined;
  /** Seconds. Default: 5. */
  readonly duration?: number | undefined;
  /** Whether the video has a sound track. Default: true. */
  readonly generate_audio?: boolean | undefined;
  /** Whether the vendor rewrites the prompt first. Default: true. */
  readonly prompt_enhance?: boolean | undefined;
  /** Whether the model plans the video first. Default: false. */
  readonly enable_thinking?: boolean | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
  /** The role of each image of image_urls, in the same sequence, instead of the fields of these roles. */
  readonly image_roles?: readonly ('reference' | 'first_frame' | 'last_frame')[] | null | undefined;
}

/** Z-Image Turbo. A small open model: eight steps, one cent per image. */
export interface ZImageTurboImage {
  /** What the image shows, in plain words. */
  readonly prompt: string;
  /** One output per request. Default: 1. */
  readonly num_images?: number | undefined;
  /** The size of the output. With the aspect ratio it determines the pixels. Default: "1K". */
  readonly resolution?: '1K' | '2K' | undefined;
  /** Width to height of the output. Default: "4:3". */
  readonly aspect_ratio?: '1:1' | '2:3' | '3:2' | '3:4' | '4:3' | '7:9' | '9:7' | '9:16' | '16:9' | '21:9' | undefined;
  /** File format of the output. Default: "png". */
  readonly output_format?: 'png' | 'jpeg' | 'webp' | undefined;
  /** The number of steps. Default: 8. */
  readonly steps?: number | undefined;
  /** Speed at the cost of quality. Default: "regular". */
  readonly acceleration?: 'none' | 'regular' | 'high' | undefined;
  /** Whether the vendor rewrites the prompt first. Default: false. */
  readonly prompt_enhance?: boolean | undefined;
  /** Trained styles (LoRA) that the image has, at most three. */
  readonly loras?: readonly ({ readonly path: string; readonly scale?: number | undefined })[] | null | undefined;
  /** The same seed and request give a similar result. Without a seed it is random. */
  readonly seed?: number | null | undefined;
}

/** The fields of each model, by its id and its aliases. */
export interface Models {
  readonly image: {
    readonly 'bria-rmbg-2': BriaRmbg2Image;
    readonly 'clarity-upscaler': ClarityUpscalerImage;
    readonly 'enlarge': EnlargeImage;
    readonly 'flux-2-flex': Flux2FlexImage;
    readonly 'flux-2-klein-4b': Flux2Klein4bImage;
    readonly 'flux-2-klein-9b': Flux2Klein9bImage;
    readonly 'flux-2-max': Flux2MaxImage;
    readonly 'flux-2-pro': Flux2ProImage;
    readonly 'flux-3-image': Flux3ImageImage;
    readonly 'flux-3-image-klein': Flux3ImageKleinImage;
    readonly 'flux-3-klein': Flux3ImageKleinImage;
    readonly 'gpt-image-2': GptImage2Image;
    readonly 'gpt-image-2.5-flare': GptImage2_5FlareImage;
    readonly 'gpt-image-2.5-sunburst': GptImage2_5SunburstImage;
    readonly 'gpt-image-2.6-flare': GptImage2_6FlareImage;
    readonly 'gpt-image-2.6-sunburst': GptImage2_6SunburstImage;
    readonly 'grok-imagine-image': GrokImagineImageImage;
    readonly 'grok-imagine-image-2.0': GrokImagineImage2_0Image;
    readonly 'hy-image-3.5-preview': HyImage3_5PreviewImage;
    readonly 'ideogram-4.5': Ideogram4_5Image;
    readonly 'ideogram-v4': IdeogramV4Image;
    readonly 'kling-image-3': KlingImage3Image;
    readonly 'krea-2-large': Krea2LargeImage;
    readonly 'krea-2-medium': Krea2MediumImage;
    readonly 'krea-2-medium-turbo': Krea2MediumTurboImage;
    readonly 'krea-3': Krea3Image;
    readonly 'last-frame': LastFrameImage;
    readonly 'local-grid': LocalGridImage;
    readonly 'local-image': LocalImageImage;
    readonly 'luma-uni-1': LumaUni1Image;
    readonly 'luma-uni-1-max': LumaUni1MaxImage;
    readonly 'mai-image-2.6': MaiImage2_6Image;
    readonly 'mai-image-2.6-flash': MaiImage2_6FlashImage;
    readonly 'midjourney': MidjourneyImage;
    readonly 'minimax-h3-image': MinimaxH3ImageImage;
    readonly 'minimax-h3-image-highspeed': MinimaxH3ImageHighspeedImage;
    readonly 'muse-image': MuseImageImage;
    readonly 'nano-banana-2': NanoBanana2Image;
    readonly 'gemini-3.1-flash-image': NanoBanana2Image;
    readonly 'nano-banana-2-lite': NanoBanana2LiteImage;
    readonly 'gemini-3.1-flash-lite-image': NanoBanana2LiteImage;
    readonly 'nano-banana-2.1': NanoBanana2_1Image;
    readonly 'gemini-nano-banana-2.1': NanoBanana2_1Image;
    readonly 'nano-banana-pro': NanoBananaProImage;
    readonly 'gemini-3-pro-image': NanoBananaProImage;
    readonly 'pixelcut-background-remover': PixelcutBackgroundRemoverImage;
    readonly 'qwen-image-3': QwenImage3Image;
    readonly 'qwen-image-3.0': QwenImage3Image;
    readonly 'qwen-image-3-pro': QwenImage3ProImage;
    readonly 'qwen-image-3.0-pro': QwenImage3ProImage;
    readonly 'recraft-v4.1': RecraftV4_1Image;
    readonly 'recraft-v4.1-flash': RecraftV4_1FlashImage;
    readonly 'recraft-v4.1-pro': RecraftV4_1ProImage;
    readonly 'recraft-v4.1-utility': RecraftV4_1UtilityImage;
    readonly 'recraft-v4.1-utility-pro': RecraftV4_1UtilityProImage;
    readonly 'reve': ReveImage;
    readonly 'riverflow-2.5-fast': Riverflow2_5FastImage;
    readonly 'riverflow-2.5-pro': Riverflow2_5ProImage;
    readonly 'runway-gen4-image': RunwayGen4ImageImage;
    readonly 'runway-gen4-image-turbo': RunwayGen4ImageTurboImage;
    readonly 'seedream-4.5': Seedream4_5Image;
    readonly 'seedream-5-flash': Seedream5FlashImage;
    readonly 'seedream-5-lite': Seedream5LiteImage;
    readonly 'seedream-5-pro': Seedream5ProImage;
    readonly 'seedream-5.5': Seedream5_5Image;
    readonly 'seedvr2': Seedvr2Image;
    readonly 'sketch': SketchImage;
    readonly 'sketch-grid': SketchGridImage;
    readonly 'wan-2.7-image-pro': Wan2_7ImageProImage;
    readonly 'z-image-turbo': ZImageTurboImage;
  };
  readonly video: {
    readonly 'flux-3-max': Flux3MaxVideo;
    readonly 'flux-3-video': Flux3VideoVideo;
    readonly 'gemini-omni-flash-1.1': GeminiOmniFlash1_1Video;
    readonly 'gemini-omni-flash-1.2': GeminiOmniFlash1_2Video;
    readonly 'gemini-omni-1.2-flash': GeminiOmniFlash1_2Video;
    readonly 'grok-imagine-video': GrokImagineVideoVideo;
    readonly 'grok-imagine-video-1.5': GrokImagineVideo1_5Video;
    readonly 'grok-imagine-video-1.5-lite': GrokImagineVideo1_5LiteVideo;
    readonly 'hailuo-2.3': Hailuo2_3Video;
    readonly 'happyhorse-1.1': Happyhorse1_1Video;
    readonly 'heygen-video-1': HeygenVideo1Video;
    readonly 'join': JoinVideo;
    readonly 'kling-3.0': Kling3_0Video;
    readonly 'kling-v3': Kling3_0Video;
    readonly 'kling-3.0-motion-control': Kling3_0MotionControlVideo;
    readonly 'kling-3.0-turbo': Kling3_0TurboVideo;
    readonly 'kling-4.0': Kling4_0Video;
    readonly 'kling-4.0-edit': Kling4_0EditVideo;
    readonly 'kling-4.0-flash': Kling4_0FlashVideo;
    readonly 'kling-lipsync': KlingLipsyncVideo;
    readonly 'kling-o3': KlingO3Video;
    readonly 'local-video': LocalVideoVideo;
    readonly 'ltx-2.5-fast': Ltx2_5FastVideo;
    readonly 'ltx-2-5-fast': Ltx2_5FastVideo;
    readonly 'ltx-2.5-pro': Ltx2_5ProVideo;
    readonly 'ltx-2-5-pro': Ltx2_5ProVideo;
    readonly 'luma-ray-3.2': LumaRay3_2Video;
    readonly 'luma-ray-3.2-edit': LumaRay3_2EditVideo;
    readonly 'luma-ray-3.2-reframe': LumaRay3_2ReframeVideo;
    readonly 'minimax-h3': MinimaxH3Video;
    readonly 'minimax-h3-max': MinimaxH3MaxVideo;
    readonly 'minimax-h3-max-recast': MinimaxH3MaxRecastVideo;
    readonly 'minimax-h3-max-turbo': MinimaxH3MaxTurboVideo;
    readonly 'omnihuman-1.5': Omnihuman1_5Video;
    readonly 'p-video-2': PVideo2Video;
    readonly 'pixverse-v6': PixverseV6Video;
    readonly 'pixverse-v6-extend': PixverseV6ExtendVideo;
    readonly 'pixverse-v6-max': PixverseV6MaxVideo;
    readonly 'runway-aleph-2': RunwayAleph2Video;
    readonly 'aleph2': RunwayAleph2Video;
    readonly 'runway-gen-4.5': RunwayGen4_5Video;
    readonly 'gen4.5': RunwayGen4_5Video;
    readonly 'runway-gen4-turbo': RunwayGen4TurboVideo;
    readonly 'seedance-1.5-pro': Seedance1_5ProVideo;
    readonly 'seedance-2.0': Seedance2_0Video;
    readonly 'seedance-2.0-fast': Seedance2_0FastVideo;
    readonly 'seedance-2.0-mini': Seedance2_0MiniVideo;
    readonly 'seedance-2.5': Seedance2_5Video;
    readonly 'sketch-motion': SketchMotionVideo;
    readonly 'sync-3': Sync3Video;
    readonly 'sync-lipsync-2': SyncLipsync2Video;
    readonly 'veed-fabric-1.0': VeedFabric1_0Video;
    readonly 'veo-3.1': Veo3_1Video;
    readonly 'veo-3.1-generate-001': Veo3_1Video;
    readonly 'veo-3.1-fast': Veo3_1FastVideo;
    readonly 'veo-3.1-fast-generate-001': Veo3_1FastVideo;
    readonly 'veo-3.1-fast-extend': Veo3_1FastExtendVideo;
    readonly 'veo-3.1-lite': Veo3_1LiteVideo;
    readonly 'veo-3.1-lite-generate-001': Veo3_1LiteVideo;
    readonly 'vidu-q2': ViduQ2Video;
    readonly 'vidu-q3': ViduQ3Video;
    readonly 'viduq3-pro': ViduQ3Video;
    readonly 'vidu-q3-turbo': ViduQ3TurboVideo;
    readonly 'viduq3-turbo': ViduQ3TurboVideo;
    readonly 'vidu-q4-preview': ViduQ4PreviewVideo;
    readonly 'vidu-q4': ViduQ4PreviewVideo;
    readonly 'wan-2.7': Wan2_7Video;
    readonly 'wan-3.0': Wan3_0Video;
    readonly 'wan3.0-video': Wan3_0Video;
    readonly 'wan-3.0-prime': Wan3_0PrimeVideo;
    readonly 'wan3.0-video-prime': Wan3_0PrimeVideo;
  };
}
