import type { IExecuteFunctions, INodeType } from 'n8n-workflow';
import { UnexpectedError } from 'n8n-workflow';
import { FormResponses } from '../../nodes/FormResponses/FormResponses.node';
import type { Authentication } from '../../nodes/FormResponses/transport/types';
import type { Runnable } from './execute';
import { execute } from './execute';

/** Runs a piece of a node in a run of n8n's own engine, with the node's credentials. */
export async function inRun<Result>(
	work: (context: IExecuteFunctions) => Promise<Result>,
	{ authentication = 'oAuth2' as Authentication, ...stored }: ProbeOptions = {},
): Promise<Result> {
	const outcome: { result?: Result; error?: unknown } = { error: new UnexpectedError('Not run') };
	const { description } = new FormResponses();
	const properties = description.properties.filter(({ name }) => name === 'authentication');
	const type: INodeType = {
		description: { ...description, properties },
		async execute() {
			try {
				outcome.result = await work(this);
				delete outcome.error;
			} catch (error) {
				outcome.error = error;
			}
			return [[]];
		},
	};
	await execute({ ...stored, type, parameters: { authentication } });
	if ('error' in outcome) throw outcome.error as UnexpectedError;
	return outcome.result as Result;
}

export type ProbeOptions = Partial<Omit<Runnable, 'type' | 'parameters'>> & {
	authentication?: Authentication;
};
