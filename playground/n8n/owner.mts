import { N8nError } from './session.mts';
import type { Session } from './session.mts';

export const owner = {
	email: 'owner@example.com',
	password: 'Playground1',
	firstName: 'Playground',
	lastName: 'Owner',
};

interface PublicSettings {
	userManagement: { showSetupOnFirstLoad: boolean };
}

/** Makes the owner account of a new n8n, or logs in to it. */
export async function logInAsOwner(session: Session) {
	const { userManagement } = await session.get<PublicSettings>('/settings');
	if (userManagement.showSetupOnFirstLoad) {
		await session.post('/owner/setup', owner);
		return;
	}
	try {
		await session.post('/login', { emailOrLdapLoginId: owner.email, password: owner.password });
	} catch (error) {
		if (!(error instanceof N8nError) || error.status !== 401) throw error;
		throw new Error(
			`The owner of this n8n is not ${owner.email} with the playground's password any more. Set them back in n8n, or delete its data folder to start afresh.`,
		);
	}
}
