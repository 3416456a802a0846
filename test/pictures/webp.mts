import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { root } from './catalogue.js';

const best = { quality: 85, effort: 6 };

export interface Frame {
	png: Buffer;
	ms: number;
}

export interface Size {
	width: number;
	height: number;
}

export interface Clip extends Size {
	x: number;
	y: number;
}

function write(file: string, data: Buffer) {
	const path = join(root, file);
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, data);
}

/** Writes a screenshot as WebP; one that is wider is made smaller. */
export async function writeWebp(file: string, png: Buffer, maxWidth = Infinity) {
	const { width } = await sharp(png).metadata();
	const image = width > maxWidth ? sharp(png).resize({ width: maxWidth }) : sharp(png);
	write(file, await image.webp(best).toBuffer());
}

/** The screenshot in another size, without its last row or column where its shape is not quite the same. */
export async function fitted(png: Buffer, size: Size): Promise<Buffer> {
	return await sharp(png)
		.resize({ ...size, position: 'left top' })
		.png()
		.toBuffer();
}

/** One screenshot below the other. */
export async function stack(above: Buffer, below: Buffer): Promise<Buffer> {
	const { height } = await sharp(above).metadata();
	const image = sharp(below).extend({ top: height });
	return await image
		.composite([{ input: above, left: 0, top: 0 }])
		.png()
		.toBuffer();
}

/** Writes frames of one size as an animation that begins anew when it has ended. */
export async function writeAnimation(file: string, frames: Frame[]) {
	const changes: Frame[] = [];
	for (const frame of frames) {
		const last = changes.at(-1);
		if (last?.png.equals(frame.png)) last.ms += frame.ms;
		else changes.push({ ...frame });
	}
	const delay = changes.map(({ ms }) => ms);
	const animation = sharp(
		changes.map(({ png }) => png),
		{ join: { animated: true } },
	);
	write(file, await animation.webp({ ...best, delay, loop: 0, mixed: true }).toBuffer());
}
