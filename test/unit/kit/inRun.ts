import { UnexpectedError, type IExecuteFunctions, type INodeType } from 'n8n-workflow';
import { FormResponses } from '../../../nodes/FormResponses/FormResponses.node';
import type { Authentication } from '../../../nodes/FormResponses/transport/types';
import { execute, type Runnable } from './execute';

interface ProbeOptions extends Partial<Omit<Runnable, 'type' | 'parameters'>> {
	authentication?: Authentication;
}

/** Runs a piece of a node in a run of n8n's own engine, with the node's credentials. */
export async function inRun<Result>(
	work: (context: IExecuteFunctions) => Promise<Result>,
	{ authentication = 'oAuth2', ...stored }: ProbeOptions = {},
): Promise<Result> {
	let outcome = Promise.reject<Result>(new UnexpectedError('Not run'));
	const { description } = new FormResponses();
	const properties = description.properties.filter(({ name }) => name === 'authentication');
	const type: INodeType = {
		description: { ...description, properties },
		async execute() {
			outcome.catch(() => {});
			outcome = work(this);
			await outcome.catch(() => {});
			return [[]];
		},
	};
	await execute({ ...stored, type, parameters: { authentication } });
	return await outcome;
}
