import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { root } from './catalogue.js';

const best = { quality: 85, effort: 6 };

export type Frame = { png: Buffer; ms: number };

function write(file: string, data: Buffer) {
	writeFileSync(join(root, file), data);
	console.log(`  ${file}  ${(data.length / 1000).toFixed(1)} kB`);
}

/** Writes a screenshot as WebP; one that is wider is made smaller. */
export async function writeWebp(file: string, png: Buffer, width?: number) {
	const image = sharp(png).resize({ width, withoutEnlargement: true });
	write(file, await image.webp(best).toBuffer());
}

/** Writes frames of one size as an animation that begins again when it has ended. */
export async function writeAnimation(file: string, frames: Frame[]) {
	const images = frames.map(({ png }) => png);
	const delay = frames.map(({ ms }) => ms);
	const animation = sharp(images, { join: { animated: true } });
	write(file, await animation.webp({ ...best, delay, loop: 0, mixed: true }).toBuffer());
}
