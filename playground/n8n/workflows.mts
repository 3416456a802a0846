import { setTimeout as sleep } from 'node:timers/promises';
import { publicationCalls } from './publication.mts';
import { N8nError } from './session.mts';
import type { Session } from './session.mts';
import type { Workflow, WorkflowDraft } from './types.mts';

/** n8n refuses with 409 to delete a workflow while it is still taking its triggers down. */
async function whenNotBusy(action: () => Promise<unknown>) {
	for (let attempt = 1; ; attempt++) {
		try {
			return await action();
		} catch (error) {
			if (!(error instanceof N8nError) || error.status !== 409 || attempt === 100) throw error;
			await sleep(100);
		}
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
			return await session.patch(`/workflows/${id}`, {
				name,
				nodes,
				connections,
				settings,
				...patch,
			});
		},

		async deleteWorkflow(id: string) {
			const { active, isArchived } = await workflow(id);
			if (active) await publication.unpublish(id);
			if (!isArchived) await session.post(`/workflows/${id}/archive`);
			await whenNotBusy(() => session.delete(`/workflows/${id}`));
		},
	};
}
