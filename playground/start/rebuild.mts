import { watch } from 'gulp';
import { packageRoot } from '../n8n/build.mts';
import { installPackage } from '../n8n/install-package.mts';

/** An editor writes several files at once. */
const DEBOUNCE_MS = 200;

/** Rebuilds and installs the package on changes; n8n reloads it (N8N_DEV_RELOAD). */
export function rebuildOnChange(userFolder: string) {
	watch(
		['nodes/**/*', 'credentials/**/*'],
		{ cwd: packageRoot, delay: DEBOUNCE_MS },
		async function rebuild() {
			try {
				installPackage(userFolder);
				console.log(`${new Date().toLocaleTimeString()}  built; reload the editor's page`);
			} catch (error) {
				console.error((error as Error).message);
			}
		},
	);
}
