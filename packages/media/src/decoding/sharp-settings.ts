import sharp from 'sharp';

// libvips would otherwise cache open files and pixels for a second read that never happens; one thread per picture
// limits its processor time.
sharp.cache(false);
sharp.concurrency(1);
