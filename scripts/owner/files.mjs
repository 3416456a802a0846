import { accessSync, constants, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from './values.mjs';

const SKIPPED =
	/^(node_modules|\.git|\.playground|\.stryker-tmp|dist|coverage|package-lock\.json)$/;
const TEXT = /\.([cm]?[jt]s|json|md|ya?ml)$|^(LICENSE|run)$/;

/**
 * The files of text below a folder, by their path from it.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function textFiles(root, folder = '') {
	return readdirSync(join(root, folder), { withFileTypes: true })
		.filter(({ name }) => !SKIPPED.test(name))
		.flatMap((entry) => {
			const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
			if (entry.isDirectory()) return textFiles(root, path);
			return entry.isFile() && TEXT.test(entry.name) ? [path] : [];
		});
}

/**
 * Writes all files or none.
 *
 * @param {string} root
 * @param {Array<{ path: string, before: string, after: string }>} changed
 */
export function writeAll(root, changed) {
	for (const { path } of changed) {
		try {
			accessSync(join(root, path), constants.W_OK);
		} catch {
			throw new Refusal(`${path} cannot be written. Allow it (its permissions), then try again.`);
		}
	}
	for (const [index, file] of changed.entries()) {
		try {
			writeFileSync(join(root, file.path), file.after);
		} catch (error) {
			for (const { path, before } of changed.slice(0, index))
				writeFileSync(join(root, path), before);
			const reason = error instanceof Error ? error.message : String(error);
			throw new Refusal(
				`${file.path} could not be written: ${reason}. Put that right, then try again.`,
			);
		}
	}
}
