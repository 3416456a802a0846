import { setTimeout as sleep } from 'node:timers/promises';
import { N8nError } from './session.mts';
import type { Session } from './session.mts';
import type { Workflow } from './types.mts';
import { isOlderThan } from './version.mts';

export interface Outcome {
	ok: boolean;
	/** Why it failed, in n8n's words; empty when it went well. */
	message: string;
}

interface PublicationStatus {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ nodeId: string; status: string; errorMessage: string | null }>;
}

// n8n gives up a publication after 84 s (70 % of a lease of 120 s).
const patienceMs = 120_000;

// 400: no or invalid trigger, or one that failed to register; 409: another workflow has its webhook path.
const refusals = new Set([400, 409]);

export function publicationCalls(session: Session) {
	/** Undefined where n8n runs its older engine, which has finished when its call answers. */
	async function status(id: string): Promise<PublicationStatus | undefined> {
		try {
			return await session.get<PublicationStatus>(`/workflows/${id}/publication-status`);
		} catch (error) {
			if (error instanceof N8nError && error.status === 404) return undefined;
			throw error;
		}
	}

	async function settled(id: string): Promise<PublicationStatus | undefined> {
		const deadline = Date.now() + patienceMs;
		for (;;) {
			const current = await status(id);
			if (current?.status !== 'in_progress') return current;
			if (Date.now() > deadline) throw new Error(`Publication of workflow ${id} does not finish`);
			await sleep(100);
		}
	}

	async function published(id: string): Promise<PublicationStatus | undefined> {
		const reached = await settled(id);
		// n8n reads apart what is under way and what was reached, so just between the two there seems to be
		// neither (n8n, workflow-publication-status.service.ts).
		return reached?.status === 'not_published' ? await settled(id) : reached;
	}

	return {
		publicationStatus: status,
		settledPublication: settled,

		/** Publishes the current version and waits until its triggers are registered, or are not. */
		async publish(id: string): Promise<Outcome> {
			const path = `/workflows/${id}`;
			const { versionId } = await session.get<Workflow>(path);
			try {
				if (isOlderThan('2.0')) await session.patch(path, { active: true, versionId });
				else await session.post(`${path}/activate`, { versionId });
			} catch (error) {
				if (!(error instanceof N8nError) || !refusals.has(error.status)) throw error;
				const { message } = error.body as { message: string };
				return { ok: false, message };
			}
			const reached = await published(id);
			const ok = reached === undefined || reached.status === 'published';
			const reasons = (reached?.triggers ?? []).flatMap((trigger) => trigger.errorMessage ?? []);
			return { ok, message: ok ? '' : reasons.join('; ') || `status ${reached.status}` };
		},

		/** Unpublishes and waits until the triggers are torn down. */
		async unpublish(id: string): Promise<void> {
			const path = `/workflows/${id}`;
			if (isOlderThan('2.0')) await session.patch(path, { active: false });
			else await session.post(`${path}/deactivate`);
			await settled(id);
		},
	};
}
