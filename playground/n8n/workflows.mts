import { setTimeout as sleep } from 'node:timers/promises';
import { N8nError } from './session.mts';
import type { Session } from './session.mts';
import type { Workflow, WorkflowDraft } from './types.mts';
import { isOlderThan } from './version.mts';

export interface Outcome {
	ok: boolean;
	/** Why it failed, in n8n's words; empty when it went well. */
	message: string;
}

interface PublicationStatus {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ errorMessage: string | null }>;
}

// n8n gives up a publication after 84 s (70 % of a lease of 120 s).
const PUBLISHED_WITHIN_MS = 120_000;

// 400: no or invalid trigger, or one that failed to register; 409: another workflow has its webhook path.
const refusals = [400, 409];

const hasStatus = (error: unknown, ...statuses: number[]): error is N8nError =>
	error instanceof N8nError && statuses.includes(error.status);

function publicationCalls(session: Session) {
	/** Undefined where n8n runs its older engine, which has finished when its call answers. */
	async function publicationStatus(id: string): Promise<PublicationStatus | undefined> {
		try {
			return await session.get<PublicationStatus>(`/workflows/${id}/publication-status`);
		} catch (error) {
			if (hasStatus(error, 404)) return undefined;
			throw error;
		}
	}

	async function settledPublication(id: string): Promise<PublicationStatus | undefined> {
		const deadline = Date.now() + PUBLISHED_WITHIN_MS;
		for (;;) {
			const current = await publicationStatus(id);
			if (current?.status !== 'in_progress') return current;
			if (Date.now() > deadline) throw new Error(`Publication of workflow ${id} does not finish`);
			await sleep(100);
		}
	}

	return {
		publicationStatus,
		settledPublication,

		/** Publishes the current version and waits until its triggers are registered, or are not. */
		async publish(id: string): Promise<Outcome> {
			const path = `/workflows/${id}`;
			const { versionId } = await session.get<Workflow>(path);
			try {
				if (isOlderThan('2.0')) await session.patch(path, { active: true, versionId });
				else await session.post(`${path}/activate`, { versionId });
			} catch (error) {
				if (!hasStatus(error, ...refusals)) throw error;
				return { ok: false, message: (error.body as { message: string }).message };
			}
			let reached = await settledPublication(id);
			// n8n reads apart what is under way and what was reached, so just between the two there seems to be
			// neither (n8n, workflow-publication-status.service.ts).
			if (reached?.status === 'not_published') reached = await settledPublication(id);
			if (!reached || reached.status === 'published') return { ok: true, message: '' };
			const reasons = reached.triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
			return { ok: false, message: reasons.join('; ') || `status ${reached.status}` };
		},

		/** Unpublishes and waits until the triggers are torn down. */
		async unpublish(id: string): Promise<void> {
			const path = `/workflows/${id}`;
			if (isOlderThan('2.0')) await session.patch(path, { active: false });
			else await session.post(`${path}/deactivate`);
			await settledPublication(id);
		},
	};
}

/** n8n refuses with 409 to delete a workflow while it is still taking its triggers down. */
async function whenNotBusy(action: () => Promise<unknown>, tries = 100) {
	try {
		await action();
	} catch (error) {
		if (!hasStatus(error, 409) || tries <= 1) throw error;
		await sleep(100);
		await whenNotBusy(action, tries - 1);
	}
}

export function workflowCalls(session: Session) {
	const publication = publicationCalls(session);

	async function workflow(id: string): Promise<Workflow> {
		return await session.get(`/workflows/${id}`);
	}

	return {
		...publication,
		workflow,

		async workflows(): Promise<Workflow[]> {
			const answer = await session.get<Workflow[] | { data: Workflow[] }>('/workflows');
			return Array.isArray(answer) ? answer : answer.data;
		},

		async workflowExists(id: string): Promise<boolean> {
			return (await session.get<{ exists: boolean }>(`/workflows/${id}/exists`)).exists;
		},

		async createWorkflow(draft: WorkflowDraft): Promise<Workflow> {
			// n8n 1 does not fill in whether it is active.
			return await session.post('/workflows', { active: false, settings: {}, ...draft });
		},

		/** Saves a new version as a draft; what is published stays as it is until the next publish. */
		async updateWorkflow(id: string, patch: Partial<WorkflowDraft>): Promise<Workflow> {
			const { name, nodes, connections, settings } = await workflow(id);
			const draft = { name, nodes, connections, settings, ...patch };
			return await session.patch(`/workflows/${id}`, draft);
		},

		async deleteWorkflow(id: string) {
			const { active, isArchived } = await workflow(id);
			if (active) await publication.unpublish(id);
			if (!isArchived) await session.post(`/workflows/${id}/archive`);
			await whenNotBusy(async () => await session.delete(`/workflows/${id}`));
		},
	};
}
