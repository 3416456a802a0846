import { setTimeout as sleep } from 'node:timers/promises';
import { hasStatus, type Session } from './session.mts';
import type { Workflow, WorkflowDraft } from './types.mts';
import { isOlderThan } from './version.mts';

interface PublicationStatus {
	status: string;
	triggers: Array<{ errorMessage: string | null }>;
}

// n8n gives up a publication after 84 s (70 % of a 120 s lease).
const PUBLISH_TIMEOUT_MS = 120_000;

// 400: no valid trigger, or registration failed. 409: the webhook path is taken by another workflow.
const refusals = [400, 409];

function publicationCalls(session: Session) {
	/** Undefined with the older engine, whose activation call returns when it has finished. */
	async function publicationStatus(id: string): Promise<PublicationStatus | undefined> {
		const path = `/workflows/${id}/publication-status`;
		return await session.get<PublicationStatus>(path).catch((error) => {
			if (!hasStatus(error, 404)) throw error;
			return undefined;
		});
	}

	async function waitForPublication(id: string): Promise<PublicationStatus | undefined> {
		const deadline = Date.now() + PUBLISH_TIMEOUT_MS;
		for (;;) {
			const current = await publicationStatus(id);
			if (current?.status !== 'in_progress') return current;
			if (Date.now() > deadline) throw new Error(`Publication of workflow ${id} does not finish`);
			await sleep(100);
		}
	}

	return {
		publicationStatus,

		/** Publishes the current version and waits; if triggers fail to register, returns n8n's message. */
		async publish(id: string) {
			const path = `/workflows/${id}`;
			const { versionId } = await session.get<Workflow>(path);
			try {
				if (isOlderThan('2.0')) await session.patch(path, { active: true, versionId });
				else await session.post(`${path}/activate`, { versionId });
			} catch (error) {
				if (!hasStatus(error, ...refusals)) throw error;
				return { ok: false, message: error.reason };
			}
			let result = await waitForPublication(id);
			// n8n reads the running and the finished publication separately, so between the two it may see neither (n8n,
			// workflow-publication-status.service.ts).
			if (result?.status === 'not_published') result = await waitForPublication(id);
			if (!result || result.status === 'published') return { ok: true, message: '' };
			const reasons = result.triggers.flatMap(({ errorMessage }) => errorMessage ?? []);
			return { ok: false, message: reasons.join('; ') || `status ${result.status}` };
		},

		/** Unpublishes and waits until the triggers are torn down. */
		async unpublish(id: string): Promise<void> {
			const path = `/workflows/${id}`;
			if (isOlderThan('2.0')) await session.patch(path, { active: false });
			else await session.post(`${path}/deactivate`);
			await waitForPublication(id);
		},
	};
}

export function workflowCalls(session: Session) {
	const publication = publicationCalls(session);

	const workflow = async (id: string) => await session.get<Workflow>(`/workflows/${id}`);

	return {
		...publication,
		workflow,

		async workflows(): Promise<Workflow[]> {
			const answer = await session.get<Workflow[] | { data: Workflow[] }>('/workflows');
			return Array.isArray(answer) ? answer : answer.data;
		},

		workflowExists: async (id: string) =>
			(await session.get<{ exists: boolean }>(`/workflows/${id}/exists`)).exists,

		// n8n 1 requires `active`.
		createWorkflow: async (draft: WorkflowDraft) =>
			await session.post<Workflow>('/workflows', { active: false, settings: {}, ...draft }),

		/** Saves a draft; the published version stays until the next publish. */
		async updateWorkflow(id: string, patch: Partial<WorkflowDraft>) {
			const { name, nodes, connections, settings } = await workflow(id);
			const draft = { name, nodes, connections, settings, ...patch };
			return await session.patch<Workflow>(`/workflows/${id}`, draft);
		},

		async deleteWorkflow(id: string) {
			const { active, isArchived } = await workflow(id);
			if (active) await publication.unpublish(id);
			if (!isArchived) await session.post(`/workflows/${id}/archive`);
			await session.delete(`/workflows/${id}`);
		},
	};
}
