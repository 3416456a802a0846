import type { User } from './types.mts';

export const workspace = {
	id: '5f0c2a52-6d0e-4c59-9a53-7a3c7f1f2b10',
	name: 'Playground',
	slug: 'playground',
};

export const demoUser: User = { name: 'Demo User', email: 'demo.user@example.com' };
