import { responseKey } from '../responseKey';
import { listResponses, MAX_RESPONSES } from '../transport/endpoints';
import type { Api } from '../transport/types';
import type { Start } from './state';

/**
 * Existing responses do not count. The bound is the oldest that the API shows, not the newest, because a
 * response can become visible later than one that was completed after it.
 */
export async function startPolling(api: Api, formId: string): Promise<Start> {
	const newest = await listResponses(api, formId, MAX_RESPONSES);
	const oldest = newest.length === MAX_RESPONSES ? newest[newest.length - 1] : undefined;
	return { since: oldest?.data.completedAt ?? '', baseline: newest.map(responseKey) };
}
