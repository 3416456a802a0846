import { credentialDrafts } from '../../playground/start/credentials.mts';
import { openCredential, shootCredential } from './credential.mts';
import { settle } from './studio.mts';
import type { Studio } from './studio.mts';
import { writeWebp } from './webp.mts';

/** Enough for what has changed when it is connected. */
const TOP = 480;

/** Connecting an OAuth2 credential: before, at the service, and after. */
export async function drawOAuth2(studio: Studio, files: string[]) {
	const draft = credentialDrafts(studio.service.url).find(({ type }) => /OAuth2/.test(type))!;
	const { id } = await studio.n8n.createCredential({ ...draft, name: 'Form Responses account' });
	const { page, window } = await openCredential(studio, id);
	const connect = window.getByTestId('quick-connect-button');
	await connect.waitFor();
	await writeWebp(files[0]!, await shootCredential(page, window));

	const opened = page.waitForEvent('popup');
	await connect.click();
	const consent = await opened;
	const allow = consent.getByRole('button', { name: 'Allow' });
	await allow.waitFor();
	await consent.setViewportSize({ width: 600, height: 340 });
	await settle(consent);
	await writeWebp(files[1]!, await consent.screenshot());

	await allow.click();
	await window.getByText('Account connected').waitFor();
	await writeWebp(files[2]!, await shootCredential(page, window, TOP));
}
