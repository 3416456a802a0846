import type { INodeExecutionData } from 'n8n-workflow';
import { responseKey } from '../../../../../../../nodes/FormResponses/transport/responseKey';
import type { ResponseEnvelope } from '../../../../../../../nodes/FormResponses/transport/types';
import { aResponse, idOf } from '../../../../../kit/samples';
import type { Response } from './history';
import type { World } from './world';

/** How many responses the API shows. */
export const PAGE = 25;

/** The form at the service. */
export function aForm({ schedule }: World) {
	const all: Response[] = [];
	const byKey = new Map<string, Response>();
	const shown: Response[] = [];
	return {
		all,
		/** Newest first. */
		page: () => shown.slice(-PAGE).reverse(),
		/** The response that this item shows. */
		of: ({ json }: INodeExecutionData) =>
			byKey.get(responseKey({ data: json } as unknown as ResponseEnvelope))!,
		/** Plans that somebody completes it. */
		complete(at: number): Response {
			const responseId = idOf(all.length, 2);
			const completedAt = new Date(at).toISOString();
			const envelope = aResponse({ responseId, completedAt });
			const response: Response = { at, envelope, outputs: [] };
			all.push(response);
			byKey.set(responseKey(envelope), response);
			schedule.at(at, () => shown.push(response));
			return response;
		},
	};
}

export type Form = ReturnType<typeof aForm>;
